import ContentModel
import GRDB
import QuestionEngine

/// The change from the stored corrections of a bank to its present ones.
struct CorrectionChange {
    /// The outcome of a change.
    struct Applied {
        var isChanged = false
        /// The finished sessions of the current user whose points changed, the newest first.
        var results: [CorrectedResult] = []
    }

    private let bank: String
    private let corrections: GradeCorrections
    private let stored: [StoredCorrection.Place: StoredCorrection]

    init(_ blueprint: Blueprint) {
        bank = blueprint.id
        stored = StoredCorrection.all(of: GradeCorrections(blueprint))
        // As answers that arrive later are graded.
        corrections = GradeCorrections(stored.values)
    }

    /// Returns true if there are changes to write.
    func isNews(in database: Database, document: String?) throws -> Bool {
        let storage = CorrectionStorage(database: database)
        if let document, try storage.documents()[bank] != document { return true }
        return try storage.stored(of: bank) != stored
    }

    /// Regrades the affected answers of all users, and writes the corrections.
    func apply(
        to database: Database, of user: String, document: String?, now: Int64
    ) throws -> Applied {
        let storage = CorrectionStorage(database: database)
        if let document { try storage.note(document, of: bank) }
        let former = try storage.stored(of: bank)
        let places = Set(former.keys).union(stored.keys).filter { former[$0] != stored[$0] }
        guard !places.isEmpty else { return Applied() }
        try storage.replace(places, of: bank, by: stored, now: now)
        let versions = Dictionary(grouping: places, by: \.question)
            .mapValues { Set($0.map(\.version)) }
        for user in try String.fetchAll(database, sql: "SELECT user FROM person ORDER BY user") {
            var regrading = DeviceRegrading(database, user: user, bank: bank, by: corrections)
            try regrading.run(versions)
        }
        return Applied(
            isChanged: true,
            results: try results(
                in: SessionStorage(database: database, user: user), places,
                former: GradeCorrections(former.values)))
    }

    private func results(
        in sessions: SessionStorage, _ places: some Collection<StoredCorrection.Place>,
        former: GradeCorrections
    ) throws -> [CorrectedResult] {
        let versions = Set(places.map(\.version))
        return try sessions.finishedSessions(of: bank, versions: versions).compactMap { saved in
            let session = saved.session
            return CorrectedResult(
                saved, former: session.regraded(by: former) ?? session,
                session.regraded(by: corrections) ?? session)
        }
    }
}
