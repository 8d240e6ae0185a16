import ContentModel
import SyncClient

/// The audio of a language that `sync` was asked for and did not get; everything else goes on.
struct UnfetchedAudio {
    /// The language as it was typed.
    let language: String
    /// Why it is not here.
    let failure: CommandFailure

    /// Fetches the audio of each language, in order.
    ///
    /// - Returns: Those that could not be fetched.
    static func fetch(_ languages: [String], by sync: ContentSync) async -> [UnfetchedAudio] {
        var unfetched: [UnfetchedAudio] = []
        for language in languages {
            do {
                _ = try await sync.files(.audio(language: language))
            } catch let error as SyncError where error.code == .notFound {
                let text = "What is installed has none. Is the language right?"
                unfetched.append(.init(language: language, failure: .init(.notFound, text)))
            } catch {
                unfetched.append(.init(language: language, failure: CommandFailure(error)))
            }
        }
        return unfetched
    }

    /// The failure with which the command ends, after it has said each; `nil` when there is none.
    static func failure(_ unfetched: [UnfetchedAudio]) -> CommandFailure? {
        guard let first = unfetched.first else { return nil }
        return .said(first.failure.code, unfetched.map(\.text).joined(separator: " "))
    }

    /// What to tell people.
    var text: String { "The audio of \(language) is not here. \(failure.message)" }

    /// The entry in the answer.
    var json: JSONValue {
        ["language": .string(language), "problem": .string(failure.message)]
    }
}
