import QuestionEngine
import ServiceAPI

/// The times at which a run of answers of one device counts, see `EffectiveTimes`.
struct CountedTimes {
    /// The time of each answer, in milliseconds since 1970; 0 for a rejected one.
    private(set) var values: [Int64]
    /// The minimum of the times of these answers and of all later ones.
    let least: Int64
    /// The newest time of an answer that a later one can correct; `nil` for none.
    private(set) var latest: Int64?
    /// True if a later answer corrects one of these.
    private(set) var isCorrected = false

    /// Computes the times.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - first: The number of the first one.
    ///   - least: The minimum of the times of all later ones.
    ///   - seen: The recorded times at which the device's answers existed, by descending numbers.
    init(_ answers: EncodedAnswers, first: Int64, before least: Int64, seen: [SeenAnswers]) {
        values = Array(repeating: 0, count: answers.rows.count)
        let isOfExam = answers.sessions.map { $0.mode == AnswerMode.exam.rawValue }
        var times = EffectiveTimes(before: least)
        var seen = seen[...]
        for (index, row) in answers.rows.enumerated().reversed() {
            while let next = seen.first, next.counter >= first + Int64(index) {
                times.wereThere(at: next.milliseconds)
                seen.removeFirst()
            }
            guard let row else { continue }
            let hasZone = row.offsetMinutes != nil
            values[index] = times.time(
                of: row.milliseconds, hasZone: hasZone, isOfExam: isOfExam[Int(row.session)])
            if hasZone { latest = max(latest ?? .min, values[index]) }
            isCorrected = isCorrected || values[index] != row.milliseconds
        }
        self.least = times.least
    }
}

extension EncodedAnswers {
    /// The time of the newest answer that corrects earlier ones, see `EffectiveTimes`; `nil` for none.
    var newestTime: Int64? {
        rows.lazy.reversed().compactMap { $0 }.first { row in
            EffectiveTimes.corrects(
                row.milliseconds, hasZone: row.offsetMinutes != nil,
                isOfExam: sessions[Int(row.session)].mode == AnswerMode.exam.rawValue)
        }?.milliseconds
    }
}

/// The time at which the answers of a device up to a number existed in the store.
struct SeenAnswers {
    var counter: Int64
    var milliseconds: Int64
}
