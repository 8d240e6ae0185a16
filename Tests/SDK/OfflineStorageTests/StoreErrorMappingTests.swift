import Foundation
import GRDB
import Testing

@testable import OfflineStorage

/// The table of `StoreError.init(_:_:_:)`.
@Suite struct StoreErrorMappingTests {
    private let file = URL(fileURLWithPath: "/data/user.sqlite")

    private static let userData: [(ResultCode, StoreError.Code, String)] = [
        (.SQLITE_FULL, .storage, "room"), (.SQLITE_READONLY, .storage, "name another folder"),
        (.SQLITE_CANTOPEN, .storage, "name another folder"),
        (.SQLITE_PERM, .storage, "name another folder"),
        (.SQLITE_BUSY, .storage, "another program"), (.SQLITE_LOCKED, .storage, "another program"),
        (.SQLITE_ABORT, .storage, "suspended"), (.SQLITE_INTERRUPT, .storage, "suspended"),
        (.SQLITE_IOERR_READ, .storage, "check the disk"), (.SQLITE_NOMEM, .storage, "room"),
        (.SQLITE_CORRUPT, .damaged, "move it away"), (.SQLITE_NOTADB, .damaged, "move it away"),
        (.SQLITE_CONSTRAINT, .storage, "move it away"),
    ]

    @Test(arguments: userData)
    func anErrorOfUserDataNamesItsRemedy(
        result: ResultCode, code: StoreError.Code, remedy: String
    ) {
        let error = StoreError(DatabaseError(resultCode: result), file, .userData)
        #expect(error.code == code)
        #expect(error.message.lowercased().contains(remedy), "\(error.message)")
        #expect(error.message.contains(file.path))
        #expect(error.cause is DatabaseError)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_IOERR_READ, StoreError.Code.damaged),
        (.SQLITE_IOERR_SHORT_READ, .damaged), (.SQLITE_IOERR_WRITE, .storage),
        (.SQLITE_CORRUPT, .damaged), (.SQLITE_ERROR, .damaged), (.SQLITE_FULL, .storage),
    ])
    func contentThatCannotBeReadIsFetchedAgain(result: ResultCode, code: StoreError.Code) {
        let error = StoreError(DatabaseError(resultCode: result), file, .content)
        #expect(error.code == code)
        if code == .damaged { #expect(error.message.contains("The next sync repairs it.")) }
    }

    @Test func errorsOfFilesAreErrorsOfStorageAndOthersAreNone() {
        #expect(StoreError(ofSystem: CocoaError(.fileWriteOutOfSpace))?.code == .storage)
        #expect(StoreError(ofSystem: POSIXError(.EACCES))?.code == .storage)
        #expect(StoreError(ofSystem: DatabaseError(resultCode: .SQLITE_CORRUPT))?.code == .damaged)
        #expect(StoreError(ofSystem: CancellationError()) == nil)
        #expect(StoreError(ofDatabase: CocoaError(.fileNoSuchFile)) == nil)
    }
}
