package import ContentServer
import ServiceAPI
package import Tables

extension RequestError {
    /// Translates an error of the storage to the service's reply; nothing was changed.
    package init(_ error: StorageError) {
        switch error {
        case .noAccount: self.init(.noAccount, "There is no such account any more.")
        case .busy:
            self.init(.busy, "The server is busy. Try again in a moment.")
            retryAfterSeconds = 2
        case .unavailable, .damaged:
            self.init(.unavailable, "The server cannot store anything now. Try again later.")
            retryAfterSeconds = 60
        case .outdatedSchema:
            self.init(.outdatedSchema, "The server is being updated. Try again later.")
        case .refused:
            self.init(
                .serverError, "The server cannot do this until its operator has corrected it.")
        }
        // An account that is gone is nobody's failure.
        cause = error == .noAccount ? nil : error
    }
}

extension StorageError: ReplyError {
    package var reply: RequestError { RequestError(self) }
}
