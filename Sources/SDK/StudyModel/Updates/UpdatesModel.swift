import Foundation
public import Observation
import Underway

/// The model of the changes in the last update.
@MainActor @Observable
public final class UpdatesModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: UpdatesScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Compares the present content with the previously installed release.
    public func load() async {
        do {
            screen = try await UpdatesLoader(services).screen()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}

/// Compares two releases of a device.
struct UpdatesLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    func screen() async throws -> UpdatesScreen {
        var screen = UpdatesScreen(
            now: services.clock(),
            content: try await services.content.perform { try $0.freshness() },
            isCompared: false, seen: [], others: [], othersCount: 0)
        let former = try await services.content.perform { try $0.formerManifest() }
        guard let former else { return screen }
        screen.isCompared = true
        let present = try await services.content.perform { try $0.manifest().value }
        var changes: [UpdatesScreen.Change] = []
        for name in Self.changedBanks(former, present) {
            guard let bank = QuestionFilter.Bank(name: name) else { continue }
            let isPresent = Self.banks(present)[name] != nil
            changes += try await self.changes(of: bank, isPresent: isPresent)
        }
        screen.seen = changes.filter(\.isSeen)
        screen.seen.sort { ($0.rank, $0.id) < ($1.rank, $1.id) }
        let others = changes.filter { !$0.isSeen }
            .sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
        screen.othersCount = others.count
        screen.others = Array(others.prefix(UpdatesScreen.othersMax))
        return screen
    }

    /// Returns the names of the banks whose files differ, in their order.
    private static func changedBanks(_ former: Manifest, _ present: Manifest) -> [String] {
        let (old, new) = (banks(former), banks(present))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private static func banks(_ manifest: Manifest) -> [String: Checksum] {
        manifest.languages.compactMapValues { $0.blueprint?.checksum }
            .merging(manifest.exams.compactMapValues { $0.blueprint?.checksum }) { $1 }
    }

    private func changes(
        of bank: QuestionFilter.Bank, isPresent: Bool
    ) async throws -> [UpdatesScreen.Change] {
        let former = try await services.content.perform { try $0.formerBlueprint(bank) }
        // The store would show a bank that is gone as the former release had it.
        let present = isPresent ? try await self.present(bank) : nil
        guard let blueprint = present ?? former else { return [] }
        let subject = Subject(blueprint, of: bank)
        let seen = try await services.userData.perform {
            Set(try $0.answers(of: bank).map(\.questionID))
        }
        let (old, new) = (Self.questions(former), Self.questions(present))
        return Set(old.keys).union(new.keys).compactMap { id in
            UpdatesScreen.Change(old[id], new[id], of: subject, isSeen: seen.contains(id))
        }
    }

    private func present(_ bank: QuestionFilter.Bank) async throws -> Blueprint? {
        do {
            return try await services.content.perform { try $0.blueprint(bank).value }
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
    }

    private static func questions(_ blueprint: Blueprint?) -> [String: Question] {
        Dictionary(
            (blueprint?.questions ?? []).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension UpdatesScreen.Change {
    /// The order: changed keys, changed words, removed ones, new ones.
    fileprivate var rank: Int {
        switch kind {
        case .changed: formerKey != nil ? 0 : 1
        case .removed: 2
        case .added: 3
        }
    }
}
