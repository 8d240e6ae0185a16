import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Ledger
import Publishing
import Review
import ServiceAPI

/// The correction of a key by somebody at the desk: the author's file first, then the decision, then, if wanted, a release.
struct KeyFix {
    let app: DeskApp
    let user: DeskUser

    /// A corrected key.
    struct Fixed: Sendable {
        var bank: String
        var question: Question
        var file: String
        var isNew: Bool
        /// Which earlier answers keep their grade; `nil` for none.
        var limit: String?

        /// What was done, as a sentence.
        var sentence: String {
            let key = question.shownKey
            let done = isNew ? "\(key) is right now in \(file)." : "\(file) has this key already."
            return done + (limit.map { " " + $0 } ?? "")
        }
    }

    /// Corrects the key of a proposal, and writes the decision down.
    ///
    /// - Parameters:
    ///   - number: The proposal.
    ///   - key: The right key; `nil` for the proposed one.
    ///   - shown: The mark of what was shown, see ``mark(_:_:)``.
    /// - Returns: What was corrected.
    /// - Throws: `DeskProblem`, `ReviewError`, `PublishingError`, `LedgerError`.
    func confirm(_ number: Int64, key: String?, shown: String?) async throws -> Fixed {
        let decisions = ProposalDecisions(app.review, clock: app.users.clock)
        let proposal = try await decisions.proposal(number)
        guard proposal.state == .open else {
            throw ReviewError(
                .isDecided,
                "Somebody decided about this proposal already: it is \(proposal.state.rawValue). Nothing was changed."
            )
        }
        guard let right = key ?? proposal.proposedKey else {
            throw DeskProblem(
                status: .unprocessableContent, text: "Choose the right option first.")
        }
        guard right != proposal.key else {
            throw DeskProblem(
                status: .unprocessableContent,
                text:
                    "This is the key now. If it is right, dismiss the proposal and say why. Nothing was changed."
            )
        }
        let (options, name) = (app.options, user.name)
        let day = String(app.users.clock().formatted(.iso8601).prefix(10))
        let fixed = try await app.gate.run {
            let editor = try ContentEditor(folder: options.content)
            let present = try editor.read(
                .question(id: proposal.question, bank: proposal.bank)
            ).value
            guard Self.mark(proposal, present) == shown else {
                throw DeskProblem(
                    status: .conflict,
                    text:
                        "The proposal or its question changed since you were shown it. Nothing was changed; look at it again."
                )
            }
            return try Self.save(proposal, right, editor, options, by: name, day: day)
        }
        do {
            _ = try await decisions.confirm(number, key: fixed.question.keyLabel, by: user.id)
        } catch {
            throw DeskProblem(
                status: .conflict,
                text: fixed.sentence + " The decision was not written down: "
                    + DeskProblem(error).text,
                details: DeskProblem(error).details)
        }
        return fixed
    }

    /// Returns the mark of what a page shows: the proposed key, and the question as the content folder has it.
    static func mark(_ proposal: Proposal, _ present: JSONValue?) -> String {
        let shown: JSONValue = [
            .string(proposal.proposedKey ?? ""), present ?? .null,
        ]
        return Checksum(of: shown.canonicalBytes).hex
    }

    private static func save(
        _ proposal: Proposal, _ right: String, _ editor: ContentEditor, _ options: DeskOptions,
        by name: String, day: String
    ) throws -> Fixed {
        let correction = try KeyCorrection(
            in: editor, bank: proposal.bank,
            question: proposal.question, from: proposal.key, to: right,
            regrading: RegradeScope(
                releaseDirectory: options.release, versions: [proposal.version], day: day))
        try correction.save()
        if let repository = ContentRepository(of: options.content) {
            _ = try repository.commit(
                correction.files,
                message:
                    "Correct the key of \(proposal.question) in \(proposal.bank)\n\nProposal \(proposal.number).",
                author: .init(name: name, email: name))
        }
        return Fixed(
            bank: proposal.bank, question: correction.question, file: correction.file,
            isNew: !correction.isDone, limit: correction.note?.limit)
    }

    /// Publishes a corrected key, and nothing else.
    ///
    /// What goes out is looked at and then published by its fingerprint, so an edit that somebody saves at the same moment
    /// stops it.
    ///
    /// - Returns: The number of the release that is current then.
    /// - Throws: `DeskProblem` when other changes wait, `PublishingError`, which says what is live.
    func publish(_ fixed: Fixed) async throws -> Int {
        let (options, name, now) = (app.options, user.name, app.users.clock())
        return try await app.gate.run {
            var publisher = options.publisher(name)
            let preview = try PublishPreview(publisher)
            guard fixed.isAlone(in: preview.difference) else {
                throw DeskProblem(
                    status: .conflict,
                    text:
                        "Other changes wait as well, so nothing was published: look at all of them on Publish."
                )
            }
            publisher.expectedFingerprint = preview.fingerprint
            return try publisher.publish(
                nowSeconds: Int(now.timeIntervalSince1970), generatedAt: now.formatted(.iso8601)
            ).release
        }
    }
}

extension KeyFix.Fixed {
    /// Returns true when a difference is the change of this question's key alone.
    func isAlone(in difference: ReleaseDiff) -> Bool {
        difference.files.allSatisfy { file in
            ReleasePath(file.path)?.bank == bank && file.kind == .changed
                && file.questions.allSatisfy {
                    $0.id == question.id && $0.fields.map(\.name) == ["key"]
                } && file.corrections.allSatisfy { $0.question == question.id }
                && file.withdrawn.isEmpty
        }
    }
}

extension Question {
    /// The key as people read it: the texts of its options, or its number.
    var shownKey: String { shown(keyLabel) }

    /// Returns a label of a key as people read it.
    func shown(_ label: String) -> String {
        guard correctNumber == nil else { return label }
        let names = label.split(separator: " ").map { id in
            options.first { $0.id == id }.map { $0.text.isEmpty ? $0.id : TextRun.plain($0.text) }
                ?? String(id)
        }
        return names.joined(separator: type.isOrder ? ", then " : " and ")
    }
}
