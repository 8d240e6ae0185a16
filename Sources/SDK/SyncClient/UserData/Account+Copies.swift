import Foundation
import OfflineStorage

extension Account {
    private static let markName = "mark of the device"

    /// Compares the marks of store and secrets, and gives a copied or restored store a new identity.
    ///
    /// The store and the secrets share a mark. A store from a backup has a mark that the secrets of this device, which
    /// are in no backup, lack.
    /// - Parameter now: The wall clock.
    /// - Throws: An error of the secrets or of the store.
    func compareMarks(now: Date) throws {
        let secret = try secrets.secret(Self.markName).map { String(decoding: $0, as: UTF8.self) }
        let known = try store.mark()
        if let known, known == secret { return }
        let mark = secret ?? UUID().uuidString
        if known == nil {
            try secrets.set(Self.markName, Data(mark.utf8))
            try store.setMark(mark, isCopy: false, now: now)
        } else {
            let new = UUID().uuidString
            try store.setMark(new, isCopy: true, now: now)
            try secrets.set(Self.markName, Data(new.utf8))
        }
    }
}
