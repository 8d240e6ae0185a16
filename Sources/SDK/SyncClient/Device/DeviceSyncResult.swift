package import OfflineStorage

/// The result of a ``DeviceSync``.
package struct DeviceSyncResult: Sendable, Hashable {
    /// The report on content.
    package var content: SyncReport
    /// The requested audio that could not be fetched, in the order of the request.
    package var unfetchedAudio: [UnfetchedAudio] = []
    /// The report on user data; `nil` when there was nothing to sync, or no server for it.
    package var userData: UserDataReport?
    /// The counts of user data after its sync, if a server was asked and they can be read.
    package var status: UserDataStatus?

    /// The finished sessions whose points changed because keys were corrected, the newest first.
    package var correctedResults: [CorrectedResult] = []

    /// Creates a result without user data and audio.
    package init(content: SyncReport) { self.content = content }

    /// The first reason why the sync counts as failed; `nil` after a success.
    ///
    /// Unsent user data counts only if there is a server for it. Content comes first, since the rest depends on it.
    package var failure: DeviceSyncFailure? {
        contentFailure ?? audioFailure ?? userDataFailure
    }

    private var contentFailure: DeviceSyncFailure? {
        if case .failed(let failure) = content.outcome {
            return DeviceSyncFailure(.content, failure.message, cause: failure)
        }
        if let problem = content.lastProblem {
            return DeviceSyncFailure(
                .lastCheck, "The last check failed: \(problem)", cause: content.lastError)
        }
        let code: DeviceSyncFailure.Code = content.isUndelivered ? .undelivered : .refused
        switch content.outcome {
        case .refused(let error), .banned(let error):
            return DeviceSyncFailure(code, error.message, cause: error)
        default: break
        }
        guard !content.refused.isEmpty else { return nil }
        return DeviceSyncFailure(code, content.remarks.joined(separator: " "))
    }

    private var audioFailure: DeviceSyncFailure? {
        guard let first = unfetchedAudio.first else { return nil }
        let text = unfetchedAudio.map(\.text).joined(separator: " ")
        return DeviceSyncFailure(.audio, text, cause: first.failure)
    }

    private var userDataFailure: DeviceSyncFailure? {
        guard let userData, let problem = userData.problem, !userData.serverHasNoUserData else {
            return nil
        }
        return DeviceSyncFailure(
            userData.couldNotSave ? .userDataNotSaved : .userData,
            "User data not synced: \(problem)")
    }
}

/// The reason why a ``DeviceSync`` counts as failed.
package struct DeviceSyncFailure: Error, Sendable, Hashable {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// The content could not be synced; `cause` has the failure.
        case content
        /// The last check failed, and its cooldown has not ended.
        case lastCheck
        /// The release is installed without documents that the host did not deliver yet.
        case undelivered
        /// The app cannot read the release, or a part of it.
        case refused
        /// Audio could not be fetched; `cause` has the first failure.
        case audio
        /// The disk of this device did not accept user data.
        case userDataNotSaved
        /// User data was not synced.
        case userData
    }

    /// The kind of failure.
    package var code: Code
    /// The reason, as one or more sentences.
    package var message: String
    /// The underlying failure of a download, if any.
    package var cause: SyncError?

    /// Creates a failure.
    package init(_ code: Code, _ message: String, cause: SyncError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
