import ServiceAPI

/// The sums of a run of answers by day, bank and domain.
struct AnswerSums {
    /// The sums of one day, bank and domain.
    struct Place {
        var day: Int32
        var bank: String
        var domain: String
        var answers: Int32 = 0
        var correct: Int32 = 0
        var taken: Int64 = 0
        var last: Int64 = 0
        /// The number of answers that took each step of time.
        var histogram: [Int32] = []
    }

    /// A question that was seen on a day, or in a domain, with the place whose row counts it.
    struct Sight {
        var question: Int32
        var place: Int32
    }

    private struct PlaceKey: Hashable {
        var day: Int32
        var bank: String
        var domain: String
    }

    /// A question as it was asked, by its index in the run, on a day.
    private struct SeenKey: Hashable {
        var asked: Int32
        var day: Int32
    }

    private struct DayKey: Hashable {
        var question: Int32
        var day: Int32
    }

    private struct DomainKey: Hashable {
        var question: Int32
        var domain: String
    }

    private(set) var places: [Place] = []
    private(set) var ofDays: [Sight] = []
    private(set) var ofDomains: [Sight] = []
    private var indices: [PlaceKey: Int] = [:]
    private var seen: [SeenKey: Int] = [:]
    private var days: Set<DayKey> = []
    private var domains: Set<DomainKey> = []

    /// Counts an answer; places begin at 1.
    mutating func add(
        _ row: EncodedAnswers.Row, of question: Int32, _ asked: EncodedAnswers.Question
    ) {
        let day = Int32(min(row.milliseconds / 86_400_000, AnswerTally.dayMax))
        // Texts are compared once for each question and day.
        let seenKey = SeenKey(asked: row.question, day: day)
        if let index = seen[seenKey] { return places[index].add(row) }
        let key = PlaceKey(day: day, bank: asked.bank, domain: asked.domain ?? "")
        let index = indices[key] ?? places.count
        if index == places.count {
            indices[key] = index
            places.append(Place(day: day, bank: key.bank, domain: key.domain))
        }
        seen[seenKey] = index
        places[index].add(row)
        let sight = Sight(question: question, place: Int32(index) + 1)
        if days.insert(DayKey(question: question, day: day)).inserted { ofDays.append(sight) }
        if domains.insert(DomainKey(question: question, domain: key.domain)).inserted {
            ofDomains.append(sight)
        }
    }
}

extension AnswerSums.Place {
    fileprivate mutating func add(_ row: EncodedAnswers.Row) {
        answers += 1
        correct += row.isCorrect ? 1 : 0
        taken += row.takenMilliseconds
        last = max(last, row.milliseconds)
        let step = TimeStep.step(of: row.takenMilliseconds)
        if step >= histogram.count {
            histogram += [Int32](repeating: 0, count: step + 1 - histogram.count)
        }
        histogram[step] += 1
    }
}

/// The steps in which the time of an answer is counted: of 0.25 s below 10 s, of 2 s below a minute, of 30 s below ten
/// minutes, and one above.
enum TimeStep {
    /// Returns the number of a step, as `underway.time_step` in SQL does.
    static func step(of milliseconds: Int64) -> Int {
        switch milliseconds {
        case ..<10_000: Int(milliseconds / 250)
        case ..<60_000: 40 + Int((milliseconds - 10_000) / 2_000)
        case ..<600_000: 65 + Int((milliseconds - 60_000) / 30_000)
        default: 83
        }
    }
}
