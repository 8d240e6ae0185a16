public import ContentModel
public import Foundation
import GRDB

extension OfflineStore {
    /// Opens the store in a folder without blocking the caller; the form for the main actor.
    ///
    /// - Parameters:
    ///   - folder: A folder of this store alone, in Application Support; created when it does not exist.
    ///   - appVersion: The version of the app's build; when it changes, documents that an older decoder
    ///     refused are retried.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` `storage` when memory does not suffice for an empty store.
    public static func open(
        at folder: URL, appVersion: String = AppVersion.ofMainBundle
    ) async throws -> OfflineStore {
        try await StoreThreads.run { try OfflineStore(folder: folder, appVersion: appVersion) }
    }

    /// Opens an empty store in memory, for previews and tests.
    ///
    /// Files that are fetched on demand are in a temporary folder, which is removed with the last copy of
    /// the store.
    ///
    /// ```swift
    /// let store = try OfflineStore.inMemory()
    /// print(store.access)
    /// ```
    /// - Parameters:
    ///   - bundle: A bundle to install; the test kit has a small one.
    ///   - appVersion: The version of the app's build.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` `badBundle` when the bundle is damaged, `storage` when there is no room for
    ///   the folder.
    public static func inMemory(
        bundle: ContentBundle? = nil, appVersion: String = AppVersion.ofMainBundle
    ) throws -> OfflineStore {
        let store = try empty(appVersion)
        if let bundle { try store.installBundle(bundle, now: Date()) }
        return store
    }

    /// Opens a store in memory with release 1 of banks and announcements, for previews and tests.
    ///
    /// ```swift
    /// let question = Question(
    ///     id: "es-1", type: .singleChoice, difficulty: 1, stem: "¿Hola?",
    ///     options: [.init(id: "a", text: "Hello"), .init(id: "b", text: "Bye")], correct: [0])
    /// let store = try OfflineStore.inMemory(blueprints: [
    ///     Blueprint(kind: .placement, id: "es", title: "Spanish", version: "1", questions: [question])
    /// ])
    /// print(try store.questions(QuestionFilter(.placement(language: "es"))).value.count)
    /// ```
    /// - Parameters:
    ///   - blueprints: Placement tests, and exams whose ids are region and exam with a slash between.
    ///   - appVersion: The version of the app's build.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` `refused` when the SDK's own decoder refuses one of the banks, `storage`
    ///   when there is no room for the folder.
    public static func inMemory(
        blueprints: [Blueprint], appVersion: String = AppVersion.ofMainBundle
    ) throws -> OfflineStore {
        let store = try empty(appVersion)
        var manifest = Manifest(release: 1)
        for blueprint in blueprints {
            let bytes = blueprint.json.canonicalBytes
            let reference = ContentReference(checksum: Checksum(of: bytes), size: bytes.count)
            try store.stage(bytes, as: reference.checksum)
            switch blueprint.kind {
            case .exam: manifest.exams[blueprint.id] = ExamEntry(blueprint: reference)
            case .placement: manifest.languages[blueprint.id] = LanguageEntry(blueprint: reference)
            }
        }
        do {
            try store.install(
                VerifiedManifest(verifying: manifest.canonicalBytes), source: .bundled, now: Date())
        } catch let error as ManifestError {
            throw StoreError(.refused, "These banks make no manifest. \(error)", cause: error)
        }
        if let refused = try store.refusedDocuments().first {
            throw StoreError(.refused, "A device cannot read the \(refused). Correct the bank.")
        }
        return store
    }

    private static func empty(_ appVersion: String) throws -> OfflineStore {
        do {
            return try OfflineStore(
                ReadOnlyDatabase.empty(Schema.migrator), temporary: TemporaryStoreFolder(),
                appVersion: appVersion)
        } catch let error as DatabaseError {
            throw StoreError(ofDatabase: error) ?? StoreError(.storage, "\(error)", cause: error)
        }
    }
}
