import Foundation
import OfflineStorage

extension Account {
    private static let markName = "mark of the device"

    /// Finds out whether the store was made on another device, or before a backup was put back.
    ///
    /// The store and the secrets have a mark in common. A store that comes from a backup has a mark
    /// that the secrets of this device, which no backup takes along, do not know.
    /// - Parameter now: The wall clock.
    /// - Throws: An error of the secrets or of the store.
    func compareMarks(now: Date) throws {
        let kept = try secrets.secret(Self.markName).map { String(decoding: $0, as: UTF8.self) }
        let known = try store.mark()
        if let known, known == kept { return }
        let mark = kept ?? UUID().uuidString
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
