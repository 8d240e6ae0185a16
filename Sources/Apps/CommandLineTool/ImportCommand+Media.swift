import Importing
import WebTransfer

extension ImportCommand {
    /// Fetches the pictures that questions show by their addresses; `nil` where nothing is to be fetched.
    func fetched(for run: ExamImport) async -> FetchedPictures? {
        // Nothing is written if a file could not be read.
        guard fetchMedia, write, run.failures.isEmpty else { return nil }
        let fetcher = PictureFetcher()
        let count = fetcher.fetchable(run.addresses).count
        guard count > 0 else { return nil }
        Console.note("Fetching \(Console.count(count, "picture")) …")
        let requests = PictureRequests()
        return await fetcher.fetch(run.addresses, load: requests.load)
    }

    /// Returns true when no question of a file can be imported, also not with its pictures.
    func isRefused(_ result: ImportResult) -> Bool {
        let waits = fetchMedia && !write && !PictureFetcher().fetchable(result.addresses).isEmpty
        return result.isRefusedWhole && !waits
    }
}

/// The requests for pictures: without cookies, with at most five redirects and never from https to http.
struct PictureRequests: Sendable {
    /// The time limit of one picture, redirects included.
    private static let timeMax = Duration.seconds(30)

    private let session = TransferSession(
        userAgent: "underway", idleTimeout: 30, allowsInsecureHTTP: false)

    /// Gets the content behind an address.
    ///
    /// - Throws: `PictureFetcher.Failure`.
    func load(_ address: String, _ bytesMax: Int) async throws(PictureFetcher.Failure) -> [UInt8] {
        try await withTaskGroup(of: Result<[UInt8], PictureFetcher.Failure>.self) { group in
            group.addTask { await reply(address, bytesMax) }
            group.addTask {
                // Cancelled once the picture is there.
                try? await Task.sleep(for: Self.timeMax)
                return .failure(.silence("it was not there within \(Self.timeMax)"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.silence("it was cancelled"))
        }
        .get()
    }

    private func reply(
        _ address: String, _ bytesMax: Int
    ) async -> Result<[UInt8], PictureFetcher.Failure> {
        do {
            let response = try await session.send(
                TransferRequest(url: address, bodyBytesMax: bytesMax, redirects: .noDowngrade))
            let status = response.head.status
            guard status == 200 else {
                if (300..<400).contains(status),
                    let target = RedirectTarget(response.head.headers["location"], from: address)
                {
                    return .failure(.other("it leads to \(target), which is not https"))
                }
                return .failure(.other("its server answered with status \(status)"))
            }
            return .success(try await response.body.collect())
        } catch let error as TransferError {
            return .failure(PictureFetcher.Failure(error))
        } catch {
            return .failure(.silence("\(error)"))
        }
    }
}

extension PictureFetcher.Failure {
    fileprivate init(_ error: TransferError) {
        self =
            switch error.code {
            case .tooLong: .tooLong
            case .insecureAddress: .other("it leads to an address that is not https")
            case .offline, .timedOut, .cancelled, .networkNotAllowed: .silence(error.message)
            case .badAddress, .badHeaderField: .other(error.message)
            }
    }
}
