package import Boards
import Ledger
package import Review

extension Regrader {
    /// The accounts that a preview reads at once.
    private static let previewChunk = 250

    /// Computes the effect of regrading answers by corrections, and writes nothing.
    ///
    /// Cost: as the regrading itself; a place is compared with the current sums of the learner's sessions.
    /// - Throws: `StorageError`, `CancellationError`.
    package func preview(
        _ corrections: ServedCorrections, boards: BoardService
    ) async throws -> RegradePreview {
        var preview = RegradePreview()
        var last: Int64 = 0
        while let next = try await storage.candidates(
            after: last, atMost: Self.previewChunk, corrections)
        {
            try Task.checkCancellation()
            last = next.last
            var plans: [Int64: RegradePlan] = [:]
            for (member, user) in next.users {
                let plan = try await storage.plan(of: user, corrections)
                if plan.isEmpty { continue }
                plans[member] = plan
                preview.learners += 1
                preview.answers += plan.count
                preview.sessions += plan.deltas.count { $0.value.points != 0 }
            }
            if plans.isEmpty { continue }
            let changed = plans
            preview.places +=
                try await boards.storage.refresh { try Self.places(changed, in: $0) } ?? 0
        }
        return preview
    }

    private static func places(
        _ plans: [Int64: RegradePlan], in transaction: BoardTransaction
    ) throws -> Int {
        let (definitions, boards) = try transaction.all()
        let listed = try transaction.listed(Array(plans.keys))
        var count = 0
        for definition in definitions {
            let own = boards.filter {
                !$0.isClosed && $0.name == definition.name && $0.scoring == definition.scoring
            }
            if own.isEmpty { continue }
            let sessions = try transaction.sessions(of: Array(listed), in: definition.bank)
            for (member, before) in sessions {
                guard let plan = plans[member] else { continue }
                let after = before.map { plan.applied(to: $0) }
                count += own.count { board in
                    let (old, new) = (
                        before.filter { board.window.contains($0) },
                        after.filter { board.window.contains($0) }
                    )
                    return definition.rule.standing(of: old) != definition.rule.standing(of: new)
                }
            }
        }
        return count
    }
}
