import ContentModel
import Testing

@testable import Publishing

/// What becomes of edits of served files, without a disk.
@Suite struct DriftDecisionTests {
    private static let bank = DriftedFile(
        path: "blueprints/es.json", checksum: Checksum(of: [1]), unit: "blueprints/es")
    private static let manifest = DriftedFile(
        path: "manifest.json", checksum: Checksum(of: [2]), unit: nil)
    private static let damaged = IndexedFile(
        path: "blueprints/es.json", checksum: Checksum(of: [3]), size: 1, stamp: nil)

    /// The action in a word, and the message of a refusal.
    private struct Decided: Equatable {
        var action: String
        var message = ""
        var replacesManifest = false
    }

    private func decide(
        _ edited: [DriftedFile], damaged: [IndexedFile] = [], lost: [IndexedFile] = [],
        _ policy: DriftPolicy
    ) -> Decided {
        let decision = DriftDecision(edited, damaged: damaged, lost: lost, policy: policy)
        var decided = Decided(action: "", replacesManifest: decision.replacesManifest)
        switch decision.action {
        case .none: decided.action = "none"
        case .refuse(let error): (decided.action, decided.message) = ("refuse", error.message)
        case .adopt(let files): decided.action = "adopt " + files.map(\.path).joined()
        case .overwrite: decided.action = "overwrite"
        }
        return decided
    }

    @Test(arguments: [DriftPolicy.refuse, .adopt, .overwrite])
    func withoutEditsThereIsNothingToDecide(policy: DriftPolicy) {
        #expect(decide([], policy) == Decided(action: "none"))
    }

    @Test func theAuthorDecides() {
        #expect(decide([Self.bank], .refuse).action == "refuse")
        #expect(decide([Self.bank], .overwrite) == Decided(action: "overwrite"))
        #expect(decide([Self.bank], .adopt) == Decided(action: "adopt blueprints/es.json"))
    }

    /// It is made from everything else: no source could take the edit.
    @Test func anEditedManifestIsReplacedAndNeverAdopted() {
        #expect(
            decide([Self.manifest], .overwrite)
                == Decided(action: "overwrite", replacesManifest: true))
        let both = decide([Self.bank, Self.manifest], .adopt)
        #expect(both.action == "refuse" && both.message.contains("manifest.json was edited"))
    }

    @Test func aRefusalSaysWhatBecameOfTheObjects() {
        let named = decide([Self.bank], .refuse).message
        #expect(named.contains("  blueprints/es.json\n") && !named.contains("in place"))
        let inPlace = decide([Self.bank], damaged: [Self.damaged], .refuse).message
        #expect(inPlace.contains("1 of them were edited in place") && !inPlace.contains("But"))
        let lost = decide(
            [Self.bank], damaged: [Self.damaged], lost: [Self.damaged], .refuse
        ).message
        #expect(lost.contains("But blueprints/es.json can only be made right"))
    }
}
