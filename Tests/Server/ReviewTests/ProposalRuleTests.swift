import ContentModel
import Review
import Testing

/// When a proposal is made, changed, ended and made anew.
@Suite struct ProposalRuleTests {
    private let made = SimulatedClass()

    private func rule(_ questions: [Question]? = nil) -> ProposalRule {
        ProposalRule(now: 100, release: made.release(2, questions))
    }

    private func item(
        proposed: String? = "b", respondents: Int = 100, reports: Int = 0,
        outcome: String? = "act", version: String = "1"
    ) -> BankReview.Item {
        BankReview.Item(
            question: "q0", version: version, key: "a", proposedKey: proposed,
            evidence: Proposal.Evidence(
                respondents: respondents, reports: reports, outcome: outcome))
    }

    private func changes(_ item: BankReview.Item, _ newest: Proposal?) -> [Proposal] {
        rule().changes(
            BankReview(bank: SimulatedClass.bank, items: [item]), newest.map { [$0] } ?? []
        ).proposals
    }

    private func proposal(
        _ state: Proposal.State, proposed: String? = "b", respondents: Int = 100,
        reports: Int = 0, version: String = "1", question: String = "q0", key: String = "a"
    ) -> Proposal {
        var proposal = Proposal(
            number: 7, bank: SimulatedClass.bank, question: question, version: version, key: key,
            proposedKey: proposed,
            evidence: Proposal.Evidence(
                respondents: respondents, reports: reports, outcome: "act"), flaggedAt: 1)
        proposal.state = state
        if state != .open { proposal.decision = .init(actor: "operator:a", at: 2) }
        return proposal
    }

    @Test func aSuspicionOpensAProposal() throws {
        let opened = try #require(changes(item(), nil).first)
        #expect(opened.state == .open && opened.flaggedAt == 100 && opened.proposedKey == "b")
        #expect(changes(item(proposed: nil), nil) == [])
        #expect(changes(item(proposed: nil, reports: 1), nil).count == 1)
    }

    @Test func whatTheServerDismissedComesBackWithFewFurtherAnswers() {
        var dismissed = proposal(.dismissed, respondents: 200)
        #expect(changes(item(respondents: 230), dismissed) == [])
        dismissed.decision = .init(actor: ProposalRule.server, at: 2)
        #expect(changes(item(respondents: 219), dismissed) == [])
        #expect(changes(item(respondents: 220), dismissed).count == 1)
    }

    @Test func theSameEvidenceNeverReopensADismissedOne() {
        for respondents in [100, 120, 149] {
            #expect(changes(item(respondents: respondents), proposal(.dismissed)) == [])
        }
        #expect(changes(item(respondents: 39), proposal(.dismissed, respondents: 20)) == [])
    }

    @Test func newEvidenceOpensAnotherOne() throws {
        let again = try #require(
            changes(item(respondents: 150), proposal(.dismissed)).first)
        #expect(again.number == 0 && again.follows == 7 && again.state == .open)
        #expect(changes(item(respondents: 40), proposal(.dismissed, respondents: 20)).count == 1)
        #expect(changes(item(proposed: "c"), proposal(.dismissed)).count == 1)
        #expect(changes(item(reports: 3), proposal(.dismissed)).count == 1)
        #expect(changes(item(reports: 2), proposal(.dismissed)) == [])
        #expect(changes(item(version: "2"), proposal(.dismissed)).count == 1)
        #expect(changes(item(), proposal(.shipped)).count == 1)
    }

    @Test func anOpenOneFollowsItsEvidence() throws {
        #expect(changes(item(respondents: 105), proposal(.open)) == [])
        let updated = try #require(changes(item(respondents: 130), proposal(.open)).first)
        #expect(updated.number == 7 && updated.evidence.respondents == 130)
        #expect(updated.flaggedAt == 1 && updated.changedAt == 100)
        #expect(changes(item(proposed: "d"), proposal(.open)).first?.proposedKey == "d")
    }

    @Test func laterAnswersClearAKey() throws {
        let cleared = try #require(
            changes(item(proposed: nil, outcome: "fine"), proposal(.open)).first)
        #expect(cleared.state == .dismissed && cleared.decision?.actor == "server")
        #expect(cleared.proposedKey == "b")
    }

    @Test func aConfirmedOneWaitsForARelease() {
        #expect(changes(item(respondents: 900), proposal(.confirmed)) == [])
    }

    @Test func aReleaseShipsWhatHasTheProposedKey() throws {
        let question = made.questions[5]
        let right = made.corrected[5].keyLabel
        for state in [Proposal.State.open, .confirmed] {
            let pending = proposal(
                state, proposed: right, version: question.contentVersion, question: "q5",
                key: question.keyLabel)
            #expect(rule().changesByRelease([pending]) == ProposalChanges())
            let shipped = try #require(
                rule(made.corrected).changesByRelease([pending]).proposals.first)
            #expect(shipped.state == .shipped && shipped.release == 2)
            #expect(shipped.decision?.actor == (state == .open ? "server" : "operator:a"))
        }
    }

    @Test func aStagedRolloutShipsNothingYet() throws {
        let question = made.questions[5]
        let pending = proposal(
            .confirmed, proposed: made.corrected[5].keyLabel, version: question.contentVersion,
            question: "q5", key: question.keyLabel)
        var release = made.release(2, made.corrected)
        release.isStaged = true
        let staged = ProposalRule(now: 100, release: release).changesByRelease([pending])
        #expect(staged == ProposalChanges())
    }

    @Test func aReleaseEndsWhatItChangedOtherwise() throws {
        let question = made.questions[5]
        let pending = proposal(
            .open, proposed: "d", version: question.contentVersion, question: "q5",
            key: question.keyLabel)
        var edited = made.questions
        edited[5].stem = "Another question?"
        let ended = try #require(rule(edited).changesByRelease([pending]).proposals.first)
        #expect(ended.state == .dismissed && ended.decision?.reason == "The question was changed.")
        // A fix that was confirmed may come with the next release.
        var confirmed = pending
        confirmed.state = .confirmed
        confirmed.decision = .init(actor: "operator:a", at: 2)
        #expect(rule(edited).changesByRelease([confirmed]).proposals == [])
        edited.remove(at: 5)
        let gone = rule(edited).changesByRelease([confirmed]).proposals.first
        #expect(gone?.decision?.reason == "The question is not asked any more.")
    }
}
