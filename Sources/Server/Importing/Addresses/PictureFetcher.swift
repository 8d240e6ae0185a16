import ContentModel
import WebTransfer

/// The pictures of an import that were fetched, and why others were not.
public struct FetchedPictures: Sendable {
    /// The files by their addresses; the names are made of the content.
    var files: [String: (name: String, bytes: [UInt8])] = [:]
    /// The reasons by the addresses.
    var failures: [String: String] = [:]
}

/// The fetching of pictures by their addresses, within the limits of one import.
///
/// The requests are the caller's.
public struct PictureFetcher: Sendable {
    /// The limits of one import.
    public struct Limits: Sendable {
        /// The maximum length of one picture, in bytes.
        public var pictureBytesMax = 10 << 20
        /// The maximum number of addresses.
        public var picturesMax = 500
        /// The maximum length of all pictures together, in bytes.
        public var bytesMax = 500 << 20
        /// The number of failures one after the other, after which a host is not asked again.
        public var silencesMax = 3

        /// The limits of the command.
        public init() {}
    }

    /// Why a picture could not be had, with the reason as the end of a sentence.
    public enum Failure: Error, Sendable {
        /// The reply is longer than was allowed.
        case tooLong
        /// The host gave no whole answer, and may give none to the next request either.
        case silence(String)
        /// Anything else, such as a picture that is not there.
        case other(String)
    }

    /// Returns the content behind an address; it ends a reply that is longer than a number of bytes.
    public typealias Load =
        @Sendable (_ address: String, _ bytesMax: Int) async throws(Failure) -> [UInt8]

    private let limits: Limits

    /// Creates a fetcher.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Returns those of the addresses that ``fetch(_:load:)`` would ask for, each once.
    public func fetchable(_ addresses: [String]) -> [String] {
        var seen: Set<String> = []
        let allowed = addresses.filter {
            PictureAddress.refusal($0) == nil && seen.insert($0).inserted
        }
        return Array(allowed.prefix(limits.picturesMax))
    }

    /// Fetches pictures one after the other, each once; what fails does not stop the others.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, in the order of the file.
    ///   - load: Gets the content of one.
    /// - Returns: The pictures, and a reason for each address without one.
    public func fetch(_ addresses: [String], load: Load) async -> FetchedPictures {
        let wanted = Set(fetchable(addresses))
        var run = Run(limits: limits)
        var seen: Set<String> = []
        for address in addresses where seen.insert(address).inserted {
            if let reason = PictureAddress.refusal(address) {
                run.fetched.failures[address] = reason
            } else if !wanted.contains(address) {
                run.fetched.failures[address] =
                    "an import fetches at most \(limits.picturesMax) pictures"
            } else {
                await run.fetch(address, load)
            }
        }
        return run.fetched
    }

    /// The state between two requests.
    private struct Run {
        let limits: Limits
        var fetched = FetchedPictures()
        private var bytesLeft: Int
        /// The failures of hosts since their last answer.
        private var silences: [String: Int] = [:]

        init(limits: Limits) {
            self.limits = limits
            bytesLeft = limits.bytesMax
        }

        mutating func fetch(_ address: String, _ load: Load) async {
            do throws(Failure) {
                fetched.files[address] = try await file(address, load)
            } catch {
                fetched.failures[address] =
                    switch error {
                    case .tooLong: tooLong
                    case .silence(let reason), .other(let reason): reason
                    }
            }
        }

        private mutating func file(
            _ address: String, _ load: Load
        ) async throws(Failure) -> (name: String, bytes: [UInt8]) {
            let host = WebOrigin(address)?.description ?? address
            guard silences[host, default: 0] < limits.silencesMax else {
                throw .other("its host did not answer \(limits.silencesMax) times in a row")
            }
            guard bytesMax > 0 else { throw .tooLong }
            let bytes: [UInt8]
            do throws(Failure) {
                bytes = try await load(address, bytesMax)
            } catch {
                if case .silence = error {
                    silences[host, default: 0] += 1
                } else {
                    silences[host] = 0
                }
                throw error
            }
            silences[host] = 0
            guard bytes.count <= bytesMax else { throw .tooLong }
            let name = try Self.name(bytes)
            bytesLeft -= bytes.count
            return (name, bytes)
        }

        /// The maximum length of the next picture.
        private var bytesMax: Int { min(limits.pictureBytesMax, bytesLeft) }

        private var tooLong: String {
            bytesLeft < limits.pictureBytesMax
                ? "the pictures of an import have at most \(limits.bytesMax >> 20) MB together"
                : "it is longer than \(limits.pictureBytesMax >> 20) MB"
        }

        /// Returns a name that is made of the content, with the ending of its type.
        private static func name(_ bytes: [UInt8]) throws(Failure) -> String {
            guard let format = PictureFormat(bytes) else {
                throw .other("it is no picture of the types PNG, JPEG, GIF, WebP and SVG")
            }
            let name = ImportedMedia.name(of: bytes, ending: format.fileEnding)
            guard ImportedMedia.refusal(name, bytes) == nil else {
                throw .other("it is a drawing with a program in it")
            }
            return name
        }
    }
}
