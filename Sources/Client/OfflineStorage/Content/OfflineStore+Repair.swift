public import Foundation
import GRDB

extension OfflineStore {
    /// Whether content can be saved on this device.
    ///
    /// With a full disk or a folder that cannot be written the store opens all the same and answers from
    /// what is there and from the bundle. Each write tries again.
    public var access: StoreAccess { database.access }

    /// True from the moment in which damage was found until a sync has begun to repair it.
    public var needsRepair: Bool { repair.isRaised }

    /// Makes the store ready for a sync, which begins here: the first one after damage was found asks
    /// without condition and fetches what is missing, whenever the last check was.
    ///
    /// After damage the database is built anew from what is still right in it; the damaged file stays beside
    /// it until the next such repair, if it has at most 64 MiB. A bundle that could not be installed at the
    /// app's start is installed now.
    /// - Parameter now: The wall clock.
    /// - Throws: `StoreError` `storage` when the store cannot be written; what can be read stays.
    public func prepareForSync(now: Date) throws {
        let opened = try database.writable()
        if repair.isRaised { try mend(opened) }
        contentFiles.removeUnfinished()
        try installWaitingBundle(now: now)
    }

    private func mend(_ opened: StoreDatabase.Opened) throws {
        // What could not be opened was rebuilt then; once more would cost the damaged file.
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
