package import ContentModel
package import Publishing
package import Review

/// The correction of a doubted key: it changes the author's file, stores the decision, and publishes on request.
///
/// A repeated confirmation, at any interface, continues after the last completed step. A crash between the file and the
/// decision leaves a corrected file, whose release ends the proposal.
package struct KeyConfirmation: Workflow {
    /// The extent of the publish.
    package enum Ships: Sendable {
        /// The key only; the publish is rejected while other changes are pending.
        case alone
        /// All pending changes.
        case all
    }

    private let number: Int64
    private let key: String?
    private let regrades: Bool
    private let shown: String?
    private let ships: Ships?

    /// Describes a confirmation.
    ///
    /// - Parameters:
    ///   - number: The proposal.
    ///   - key: The right key; `nil` for the proposed one.
    ///   - regrades: False for a key that was right until the world changed: earlier answers retain their grades.
    ///   - shown: The mark of the page's state, see ``mark(of:_:)``; `nil` without a page.
    ///   - ships: The extent of the publish; `nil` for none.
    package init(
        _ number: Int64, key: String? = nil, regrades: Bool = true, shown: String? = nil,
        ships: Ships? = nil
    ) {
        (self.number, self.key, self.regrades) = (number, key, regrades)
        (self.shown, self.ships) = (shown, ships)
    }

    /// Returns the mark of a page's state: the proposed key, and the question in the content folder.
    package static func mark(of proposal: Proposal, _ present: JSONValue?) -> String {
        let shown: JSONValue = [.string(proposal.proposed() ?? ""), present ?? .null]
        return Checksum(of: shown.canonicalBytes).hex
    }

    /// Runs the steps.
    ///
    /// - Throws: `ReviewError` and `PublishingError` before the first change, later ``WorkflowError``.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        let proposal = try await place.review.neededProposal(number)
        let right = try proposal.rightKey(named: key)
        var steps = StepLog(place)
        let correction = try await steps.take(.corrected, otherwise: "") {
            let correction = try await place.threads.run { try correct(proposal, right, place) }
            return (correction, correction.sentence(from: proposal.key))
        }
        let commit = try await steps.take(
            .committed, otherwise: "It was not committed, and the decision was not written."
        ) {
            let commit = try await place.commit(
                correction.edits, proposal.commitMessage, by: actor)
            return (commit, commit.map { "Committed as \($0)." })
        }
        let decided = try await steps.take(.decided, otherwise: "The decision was not written.") {
            let decided = try await decide(correction.question.keyLabel, place, actor)
            return (decided, "Proposal \(number) is confirmed.")
        }
        var summary: PublishSummary?
        if let ships {
            var change = ReleaseChange(.publish)
            if ships == .alone { change.onlyIf = { Self.isAlone(proposal, in: $0) } }
            summary = try await change.take(&steps, in: place, by: actor)
        }
        // A key that the file had before may be out.
        let waits = ships == nil && !correction.isDone
        return Outcome(
            sentence: (steps.sentences + (waits ? ["It is not published yet."] : []))
                .joined(separator: "\n"),
            json: .compact([
                "proposal": decided.json, "file": .string(correction.file),
                "isChanged": .bool(!correction.isDone), "commit": commit.map { .string($0) },
                "release": summary.map { .integer($0.release) },
                "correction": correction.note?.correction?.json,
            ]), summary: summary)
    }

    /// The pending changes of the next release, during a proposal.
    package enum Waiting: Sendable {
        /// Nothing.
        case nothing
        /// The key of its question alone.
        case key
        /// Other changes, or those that `status` lists.
        case others
    }

    /// Examines the pending changes of the next release.
    ///
    /// - Returns: The changes, the current release, and its rollout if nothing is pending; `nil` for all devices.
    /// - Throws: `PublishingError` if the content has errors or is unreadable.
    package static func waiting(
        with proposal: Proposal, in place: Workplace
    ) throws -> (Waiting, release: Int, rollout: RolloutSummary?) {
        let status = try place.publisher().status()
        guard !status.isUpToDate else { return (.nothing, status.release, status.rollout) }
        let preview = try ReleaseChange.preview(in: place)
        let isKey = preview.summary.isNew && isAlone(proposal, in: preview.difference)
        return (isKey ? .key : .others, status.release, nil)
    }

    /// Returns true when a difference is the change of a proposal's key alone, or nothing.
    private static func isAlone(_ proposal: Proposal, in difference: ReleaseDiff) -> Bool {
        difference.files.allSatisfy { file in
            ReleasePath(file.path)?.bank == proposal.bank && file.kind == .changed
                && file.questions.allSatisfy {
                    $0.id == proposal.question && $0.fields.map(\.name) == ["key"]
                } && file.corrections.allSatisfy { $0.question == proposal.question }
                && file.withdrawn.isEmpty
        }
    }

    private func correct(
        _ proposal: Proposal, _ right: String, _ place: Workplace
    ) throws -> KeyCorrection {
        let editor = try ContentEditor(folder: place.content)
        if let shown {
            let present = try editor.read(
                .question(id: proposal.question, bank: proposal.bank)
            ).value
            guard shown == Self.mark(of: proposal, present) else {
                throw WorkflowError(
                    .conflict,
                    "The proposal or its question changed since you were shown it. Nothing was changed; look at it again."
                )
            }
        }
        func prepared(_ regrading: RegradeScope?) throws -> KeyCorrection {
            try KeyCorrection(
                in: editor, bank: proposal.bank, question: proposal.question, from: proposal.key,
                to: right, regrading: regrading)
        }
        let goesOn = proposal.state == .confirmed
        let scope = regrades ? place.regrading(proposal.version) : nil
        var correction = try prepared(goesOn ? nil : scope)
        if correction.isDone {
            let isNoted = try CorrectionNote.isThere(
                right, of: proposal.question, in: proposal.bank, editor)
            guard regrades || !isNoted else {
                throw WorkflowError(
                    .conflict,
                    "The corrections of \(proposal.bank) say already that earlier answers to \(proposal.question) are graded again. Take the entry out, or leave out --no-regrade. Nothing was changed."
                )
            }
            // Whether they are was decided with the key: who goes on adds no note.
            if goesOn { return correction }
        } else if goesOn {
            correction = try prepared(scope)
        }
        try correction.save()
        return correction
    }

    /// Stores the decision, unless somebody stored the same one.
    private func decide(
        _ key: String, _ place: Workplace, _ actor: Actor
    ) async throws -> Proposal {
        let review = try place.review
        let present = try await review.neededProposal(number)
        if present.isConfirmed(with: key) { return present }
        return try await ProposalDecisions(review, clock: { place.now }).confirm(
            number, key: key, by: actor.id)
    }
}
