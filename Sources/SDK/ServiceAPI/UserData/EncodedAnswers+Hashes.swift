package import UserData

extension EncodedAnswers {
    /// Returns the hash of each row of a run: FNV-1a over the device's name, the row's number and its
    /// content.
    ///
    /// - Parameters:
    ///   - client: The device.
    ///   - first: The number of the first row.
    /// - Returns: A hash for each row, in their order.
    package func hashes(of client: ClientID, first: UInt64) -> [UInt64] {
        let texts = HashedTexts(self)
        var start = FNVHash()
        start.mix(client.text)
        var number = first
        return rows.map { row in
            var hash = start
            hash.mix(String(number))
            texts.mix(row, into: &hash)
            number += 1
            return hash.value
        }
    }

    /// The hash of each row's content, without name and number.
    package var contentHashes: [UInt64] {
        let texts = HashedTexts(self)
        return rows.map { row in
            var hash = FNVHash()
            texts.mix(row, into: &hash)
            return hash.value
        }
    }
}

/// The texts of answers as they are hashed, each distinct one once.
private struct HashedTexts {
    private struct Question {
        var bank: [UInt8]
        var rest: [UInt8]
    }

    private let questions: [Question]
    private let sessions: [[UInt8]]
    private let responses: [[UInt8]]

    init(_ answers: EncodedAnswers) {
        questions = answers.questions.map { question in
            Question(
                bank: Self.bytes(["answer", question.bank]),
                rest: Self.bytes([
                    question.question, question.version, question.domain.map { "t" + $0 } ?? "n",
                ]))
        }
        sessions = answers.sessions.map { Self.bytes([$0.session, $0.mode]) }
        responses = answers.responses.map { Self.bytes([String($0.count)] + $0) }
    }

    private static func bytes(_ texts: [String]) -> [UInt8] {
        texts.reduce(into: []) { $0 += Array($1.utf8) + [0xFF] }
    }

    func mix(_ row: EncodedAnswers.Row?, into hash: inout FNVHash) {
        guard let row else { return hash.mix("void") }
        let question = questions[Int(row.question)]
        hash.mix(bytes: question.bank)
        hash.mix(bytes: sessions[Int(row.session)])
        hash.mix(bytes: question.rest)
        hash.mix(bytes: responses[Int(row.response)])
        for field in AnswerField.allCases {
            switch row[field] {
            case .integer(let value)?: hash.mix(String(value))
            case .real(let value)?: hash.mix(credit: value)
            case nil where field == .credit: hash.mix(credit: row.plainCredit)
            // An answer without an offset keeps the hash that it had before there were offsets.
            case nil where field == .offsetMinutes: break
            case nil: hash.mix("0")
            }
        }
    }
}

extension FNVHash {
    fileprivate mutating func mix(credit: Double) {
        // -0 is equal to 0, and its bits would differ.
        mix(String((credit == 0 ? 0 : credit).bitPattern, radix: 16))
    }
}

extension AnswerColumns {
    /// The hash of each row, see `EncodedAnswers.hashes`.
    package var hashes: [UInt64] { encoded.hashes(of: span.client, first: span.first) }

    /// The digest of the rows.
    package var digest: SetDigest { SetDigest(hashes) }
}
