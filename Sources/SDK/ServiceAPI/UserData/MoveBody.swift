public import ContentModel

/// The bodies of `POST /api/accounts/v1/move`, which moves an account into the signed-in one.
public enum MoveBody {
    /// The request: the account to move, and a refresh token of it, which remains valid.
    public struct Request: Sendable, Hashable {
        /// The id of the account that moves.
        public var from: String
        /// A refresh token of that account.
        public var proof: String

        /// Creates a request.
        public init(from: String, proof: String) {
            self.from = from
            self.proof = proof
        }

        /// Parses a request.
        ///
        /// - Parameter bytes: The body.
        /// - Throws: `WireError` when a member is missing or malformed.
        public init(_ bytes: [UInt8]) throws(WireError) {
            let object = try WireObject.parse(bytes)
            self.init(
                from: try object.id("from"), proof: try AccountBody(bytes).text("proof"))
        }

        /// The request as JSON.
        public var json: JSONValue { ["from": .string(from), "proof": .string(proof)] }
    }

    /// The reply: the state of the move.
    public enum Reply: Sendable, Hashable {
        /// Some of the answers are moved; request again after `Retry-After`.
        case moving(done: Int, of: Int)
        /// All data is in the signed-in account, and the moved one is closed.
        case moved(answers: Int, records: Int, differences: Int)

        /// Parses a reply.
        ///
        /// - Parameter bytes: The body.
        /// - Throws: `WireError` when a member is missing or malformed.
        public init(_ bytes: [UInt8]) throws(WireError) {
            let object = try WireObject.parse(bytes)
            func number(_ key: String) throws(WireError) -> Int {
                Int(try object.requiredNumber(key))
            }
            switch try object.requiredText("state") {
            case "moving": self = .moving(done: try number("done"), of: try number("of"))
            case "moved":
                self = .moved(
                    answers: try number("answers"), records: try number("records"),
                    differences: try number("differences"))
            default: throw WireError("state", "must be moving or moved")
            }
        }

        /// The reply as JSON.
        public var json: JSONValue {
            switch self {
            case .moving(let done, let total):
                ["state": "moving", "done": .integer(done), "of": .integer(total)]
            case .moved(let answers, let records, let differences):
                [
                    "state": "moved", "answers": .integer(answers), "records": .integer(records),
                    "differences": .integer(differences),
                ]
            }
        }
    }
}
