import ServiceAPI
import UserData

extension ExchangeDecision {
    /// The number of answers of each device before this request.
    var held: AnswerVector {
        AnswerVector(
            Dictionary(
                snapshot.devices.map { ($0.client, $0.lastAnswer) }, uniquingKeysWith: { $1 }))
    }

    /// The digest of each device's answers, those of this request included.
    var digests: [ClientID: SetDigest] {
        let known = snapshot.devices.filter { $0.lastAnswer > 0 }
            .map { ($0.client, $0.digest ?? SetDigest()) }
        return Dictionary(known, uniquingKeysWith: { $1 })
            .merging(account.changes.digests) { $1 }
    }

    /// Adds what is new of runs of answers, as far as the account and one request may.
    ///
    /// Answers that are left out of a run are missing from `held`, so the device sends them again; a run behind a
    /// gap waits until the gap is filled.
    /// - Returns: True when the account holds as many answers as it may.
    mutating func take(_ runs: [AnswerColumns], _ held: inout AnswerVector) -> Bool {
        guard !runs.isEmpty else { return false }
        var room = AnswerRoom(account.totals)
        var digests = digests
        var new: [AnswerColumns] = []
        for (run, hashes) in zip(runs, requestDigest.answers) {
            let known = held[run.span.client]
            guard run.span.first <= known + 1, run.span.last > known else { continue }
            if known == 0, held.lasts.count >= ServiceLimits.devicesWithAnswersMax {
                room.isFull = true
                continue
            }
            let rest = run.suffix(run.count - Int(known + 1 - run.span.first))
            let count = room.take(rest.encoded)
            guard count > 0 else { continue }
            let taken = rest.part(0..<count)
            new.append(taken)
            held.add(taken.span)
            digests[run.span.client, default: SetDigest()]
                .add(SetDigest(hashes.suffix(rest.count).prefix(count)))
            account.changes.digests[run.span.client] = digests[run.span.client]
        }
        account.changes.add(new, over: snapshot, now: account.now)
        account.totals.answerBytes = room.bytes
        account.totals.answerCount = room.count
        return room.isFull
    }
}

/// The room that an account and a request have for answers.
private struct AnswerRoom {
    /// The bytes of all answers.
    private(set) var bytes: Int
    /// The number of all answers.
    private(set) var count: Int
    private var requestBytes = 0
    /// True when answers were left out because the account holds as many as it may.
    var isFull = false

    init(_ account: LedgerAccount) {
        bytes = account.answerBytes
        count = account.answerCount
    }

    /// Takes answers as long as there is room, and returns how many.
    mutating func take(_ answers: EncodedAnswers) -> Int {
        let bounds = EncodedAnswers.Bounds(answers)
        var taken = 0
        for row in answers.rows {
            let size = row.map(bounds.estimatedBytes) ?? 16
            if count >= ServiceLimits.answersPerUserMax
                || bytes + size > ServiceLimits.answerBytesPerUserMax
            {
                isFull = true
                return taken
            }
            guard requestBytes + size <= ServiceLimits.answerBytesPerRequestMax else {
                return taken
            }
            requestBytes += size
            bytes += size
            count += 1
            taken += 1
        }
        return taken
    }
}
