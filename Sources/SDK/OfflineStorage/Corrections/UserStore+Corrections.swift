public import ContentModel
public import Foundation
import GRDB

extension UserStore {
    /// Regrades stored answers by the corrections of all banks on the device.
    ///
    /// Call it after the app has opened its stores, and after each sync. It does not read a bank that has not changed.
    /// The function of the same name for one bank lists the changes.
    ///
    /// ```swift
    /// let content = try OfflineStore.inMemory()
    /// let store = try UserStore.inMemory()
    /// print(try store.applyCorrections(of: content).count)
    /// ```
    /// - Parameters:
    ///   - content: The content of the device; answers of a bank that it cannot read are not regraded.
    ///   - now: The wall clock.
    /// - Returns: The finished sessions of the current user whose points changed, the newest first.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    @discardableResult
    public func applyCorrections(
        of content: OfflineStore, now: Date = Date()
    ) throws -> [CorrectedResult] {
        let (banks, documents) = try database.read { database in
            let storage = CorrectionStorage(database: database)
            return (try storage.answeredBanks(), try storage.documents())
        }
        var results: [CorrectedResult] = []
        for bank in banks.compactMap({ QuestionFilter.Bank(name: $0) }) {
            let known = documents[bank.name]
            guard let found = try content.changedBlueprint(bank, since: known) else { continue }
            results += try applyCorrections(of: found.blueprint, document: found.document, now)
        }
        return results.sorted { $0.startedAt > $1.startedAt }
    }

    /// Regrades stored answers by the corrections of a bank.
    ///
    /// The original answers do not change: they are sent and exported as given and graded. Derived data follows the
    /// corrections: schedules, counts of days and domains, ``answers(of:)``, and ``SavedSession/regraded``. So do
    /// answers that arrive later, and those of other users of the device. A correction that the bank no longer has is
    /// revoked. Applying the same corrections twice has no further effect.
    ///
    /// Cost: that of the affected answers, in one transaction; their schedules are replayed at the next read.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let bank = Blueprint(kind: .exam, id: "ca/maths", title: "Maths", version: "1", questions: [])
    /// print(try store.applyCorrections(of: bank).isEmpty)
    /// ```
    /// - Parameters:
    ///   - bank: The bank as it is released now.
    ///   - now: The wall clock.
    /// - Returns: The finished sessions of the current user whose points changed, the newest first.
    /// - Throws: ``StoreError`` `storage` or `damaged`; nothing has changed then.
    @discardableResult
    public func applyCorrections(
        of bank: Blueprint, now: Date = Date()
    ) throws -> [CorrectedResult] {
        try applyCorrections(of: bank, document: nil, now)
    }

    private func applyCorrections(
        of bank: Blueprint, document: String?, _ now: Date
    ) throws -> [CorrectedResult] {
        let change = CorrectionChange(bank)
        let isNews = try database.read { try change.isNews(in: $0, document: document) }
        guard isNews else { return [] }
        let milliseconds = Self.milliseconds(now)
        let applied = try database.write { database in
            let user = try Self.currentUser(in: database)
            return try change.apply(
                to: database, of: user, document: document, now: milliseconds)
        }
        // Schedules and counts may be others.
        if applied.isChanged { changes.send([]) }
        return applied.results
    }
}
