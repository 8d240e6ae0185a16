package import Foundation
import GRDB

extension OfflineStore {
    /// The access to the disk: read-write, or read-only with the reason.
    ///
    /// The store reads installed content and the bundle when the disk is full or the folder cannot be written. Each
    /// write retries.
    public var access: StoreAccess { database.access }

    /// True from the detection of damage until a sync begins to repair it.
    public var needsRepair: Bool { repair.isRaised }

    /// Prepares the store for a sync: after damage, rebuilds the database from its undamaged rows, so that the sync
    /// polls unconditionally and fetches missing documents, regardless of cooldowns.
    ///
    /// The damaged file is retained beside the new one until the next rebuild, if it has at most 64 MiB. A bundle that
    /// could not be installed at launch is installed now.
    /// - Parameter now: The wall clock.
    /// - Throws: ``StoreError`` `storage` when the store cannot be written; it remains readable.
    package func prepareForSync(now: Date) throws {
        let opened = try database.writable()
        if repair.isRaised { try repairDamage(opened) }
        contentFiles.removeUnfinished()
        try installWaitingBundle(now: now)
    }

    private func repairDamage(_ opened: StoreDatabase.Opened) throws {
        // A database that could not be opened was rebuilt then; once more would cost the damaged file.
        if !repair.isRebuilt(opened.file) { try rebuild(opened) }
        verifiedBanks.removeAll()
        repair.lower()
        // A setting that was lost must not look like an update of the app.
        try set("appVersion", appVersion)
        try refileQuestions()
    }

    private func rebuild(_ opened: StoreDatabase.Opened) throws {
        do {
            try ContentRebuild(files: contentFiles).run(replacing: opened.file)
        } catch let error as DatabaseError {
            throw StoreError(error, opened.file, .content)
        }
    }
}
