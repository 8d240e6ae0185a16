package import Accounts
package import ContentServer
import Foundation
import ServiceLifecycle

/// The service that writes each release that this server begins to serve to the audit log.
package struct ReleaseAudit: Service {
    let files: ReleaseFiles
    let administration: AdministrationService
    let host: String

    package init(files: ReleaseFiles, administration: AdministrationService, host: String) {
        self.files = files
        self.administration = administration
        self.host = host
    }

    func run() async throws {
        // Cancelled at shutdown.
        try? await cancelWhenGracefulShutdown {
            var noted: Int?
            while !Task.isCancelled {
                if let release = files.release, release != noted, await note(release) {
                    noted = release
                }
                try await Task.sleep(for: .seconds(5))
            }
        }
    }

    /// Returns false when the log cannot be written now.
    private func note(_ release: Int) async -> Bool {
        do {
            try await administration.note(
                .releaseServed, String(release), by: "server:\(host)", onlyIfNew: true)
            return true
        } catch {
            // The next look tries again; readiness and the log of requests tell about the database.
            return false
        }
    }
}
