public import Foundation
public import Observation
public import Underway

/// The account of a device's learner on the screen.
public struct AccountScreen: Sendable, Hashable {
    /// The account.
    public var identity: StudyIdentity
    /// The number of changes, answers and unresolved conflicts that the server does not have.
    public var unsentCount: Int
    /// The number of open sessions that exist only on this device, and that a sign-out with removal of the data ends.
    public var openSessionCount = 0
    /// True when this device has data that can move to an account.
    public var hasData: Bool
    /// The learners who signed out on this device with unsent data.
    public var waiting: [WaitingLearner] = []
}

/// The reason why a step with the account failed.
public enum AccountProblem: Error, Sendable, Hashable {
    /// The sign-in failed; the reason is never disclosed.
    case signInFailed
    /// The account could not be created.
    case createFailed
    /// The typed name is not that of the account; nothing was deleted.
    case nameMismatch
    /// Some data could not be sent; the learner remains signed in.
    case notSent
    /// The server did not delete the account; nothing was deleted.
    case notDeleted
    /// The server did not reply: nothing was deleted here, and each sync retries the deletion.
    case deletionUnknown
    /// The server deleted the account; the next sync removes the copy on this device.
    case deletedThere
    /// The sign-in succeeded; this device's data is still moving to the account.
    case moving
    /// Another problem, described by its details.
    case other(StudyProblem)
}

/// The treatment of the data on the device when its learner signs out.
public enum SignOutChoice: String, Sendable, Hashable, CaseIterable {
    /// Sends pending changes, then removes the data; the server has it.
    case send
    /// Retains the data on the device, hidden, for the next sign-in.
    case keep
    /// Removes the data; unsent changes are lost.
    case erase
}

/// The model of the account's screens.
///
/// It passes passwords through and never stores them.
@MainActor @Observable
public final class AccountModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: AccountScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: AccountProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the account.
    public func load() async {
        do {
            screen = try await read()
            // What could not be read before is there now; the reason of a step stays until the next one.
            if case .other? = problem { problem = nil }
        } catch {
            problem = .other(StudyProblem(error))
        }
    }

    /// Signs in.
    ///
    /// - Parameters:
    ///   - email: The email.
    ///   - password: The password.
    ///   - bringing: The data of this device that moves to the account; if ``AccountScreen/hasData``, ask the learner.
    /// - Returns: True for a success.
    public func signIn(email: String, password: String, bringing: BroughtData) async -> Bool {
        await step(.signInFailed) { account in
            do {
                try await account.signIn(
                    email: email.trimmingCharacters(in: .whitespaces), password: password,
                    bringing: bringing)
            } catch let error as ServiceError where error.code == .moving {
                throw AccountProblem.moving
            }
        }
    }

    /// Creates an account with a name for the learner's data.
    ///
    /// - Returns: True for a success.
    public func create(email: String, password: String) async -> Bool {
        await step(.createFailed) {
            try await $0.create(
                email: email.trimmingCharacters(in: .whitespaces), password: password)
        }
    }

    /// Signs out.
    ///
    /// - Returns: True for a success; false with ``AccountProblem/notSent`` when data would be lost and the learner has
    ///   not accepted it.
    public func signOut(_ choice: SignOutChoice) async -> Bool {
        if choice == .send, (screen?.unsentCount ?? 1) > 0 { await services.sync?.syncNow() }
        return await step(.notSent) {
            try await $0.signOut(
                erasing: choice != .keep, lossIsAccepted: choice == .erase)
        }
    }

    /// Deletes the account and the data on the device, irrevocably.
    ///
    /// - Parameter typedName: The account's name as the learner typed it.
    /// - Returns: True for a success.
    public func delete(typedName: String) async -> Bool {
        await load()
        guard let identity = screen?.identity, identity.kind != .local,
            typedName.trimmingCharacters(in: .whitespaces) == identity.name
        else {
            problem = .nameMismatch
            return false
        }
        return await step(.notDeleted) { account in
            do {
                try await account.delete()
            } catch let error as ServiceError {
                throw Self.deletionProblem[error.code] ?? .notDeleted
            }
        }
    }

    /// Returns all of the learner's data as JSON; `nil` if it cannot be read, see ``problem``.
    public func export() async -> Data? {
        do {
            problem = nil
            return try await services.account?.export()
        } catch let error as StoreError where error.code == .notFound {
            return Data(#"{"answers":[],"records":[]}"#.utf8)  // Nothing was written yet.
        } catch {
            problem = .other(StudyProblem(error))
            return nil
        }
    }

    /// Writes all of the learner's data to a file that only this user of the system can read.
    ///
    /// - Returns: The file in a temporary folder of its own, which ``remove(exported:)`` deletes; `nil` if it cannot be
    ///   written, see ``problem``.
    public func exportFile() async -> URL? {
        guard let data = await export() else { return nil }
        do {
            let file = try Self.newFile("underway-export.json")
            try data.write(to: file, options: .atomic)
            return file
        } catch {
            problem = .other(StudyProblem(.notSaved, details: error.localizedDescription))
            return nil
        }
    }

    /// Writes the learner's answers on this device as a table for spreadsheets, as ``exportFile()`` does.
    ///
    /// - Parameter formats: The language of the table.
    /// - Returns: The file, which ``remove(exported:)`` deletes; `nil` if it cannot be written, see ``problem``.
    public func answersFile(_ formats: StudyFormats) async -> URL? {
        do {
            problem = nil
            let file = try Self.newFile(AnswerSheet.fileName)
            let sheet = AnswerSheet(services.content, services.userData, formats)
            do {
                try await Self.write(sheet, to: file)
            } catch {
                Self.remove(exported: file)
                throw error
            }
            return file
        } catch let error as StoreError {
            problem = .other(StudyProblem(error))
        } catch {
            problem = .other(StudyProblem(.notSaved, details: error.localizedDescription))
        }
        return nil
    }

    @concurrent private nonisolated static func write(
        _ sheet: AnswerSheet, to file: URL
    ) async throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for try await part in sheet { try handle.write(contentsOf: part.bytes) }
    }

    /// Returns the address of a file in a new temporary folder that only this user of the system can read.
    private nonisolated static func newFile(_ name: String) throws -> URL {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: UUID().uuidString)
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return folder.appending(path: name)
    }

    /// Deletes a file of ``exportFile()`` or ``answersFile(_:)`` with its folder.
    public nonisolated static func remove(exported file: URL) {
        // A file that is gone already, or that the system keeps, is removed with the temporary folder.
        try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }

    /// The outcomes of a deletion that are no plain refusal.
    private nonisolated static let deletionProblem: [ServiceError.Code: AccountProblem] = [
        .deletionUnknown: .deletionUnknown, .deletedThere: .deletedThere,
    ]

    private func read() async throws -> AccountScreen {
        guard let account = services.account else { throw StudyProblem(.notFound) }
        let status = try await services.userData.perform { try $0.status() }
        let identity = try await account.identity()
        return AccountScreen(
            identity: identity,
            unsentCount: status.waitingCount + status.conflictCount + status.rejectedCount,
            openSessionCount: try await services.userData.perform { try $0.openSessions().count },
            // Whoever signs in again has the data in the account already, unless it is another account.
            hasData: identity.hasToSignInAgain && !status.isAccountMoved
                ? false : try await account.hasData(),
            waiting: try await account.waitingLearners())
    }

    /// Performs a step, with one reason for all of its failures.
    private func step(
        _ failure: AccountProblem, _ body: (DeviceStudyAccount) async throws -> Void
    ) async -> Bool {
        do {
            guard let account = services.account else { throw StudyProblem(.notFound) }
            try await body(account)
            problem = nil
        } catch let known as AccountProblem {
            problem = known
        } catch {
            problem = failure
        }
        let isTaken = problem == nil
        await load()
        return isTaken
    }
}
