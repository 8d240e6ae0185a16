import ContentModel
import Crypto
import Foundation

/// The proof that the authors wrote an index.
///
/// The index is in the release directory and names the published sources: an attacker who can write there could make a
/// publish sign foreign files, or omit the author's. A publish that signs therefore trusts an index only with the codes
/// that all authors' keys at hand give to its checksum (HMAC, RFC 2104, with SHA-256); otherwise it reads everything
/// again. Keys of other roles and former keys make no seal, since a host or a thief may have them.
struct IndexSeal {
    /// The path in the release directory, beside the index.
    static let path = ReleaseIndex.path + ".seal"
    private static let bytesMax = 4096

    private let keys: [SigningKey]

    /// Chooses the keys at hand with which the present root lets authors sign; `nil` without one.
    init?(_ keys: [SigningKey], _ trust: ReleaseTrust) {
        let authors = trust.trusted.keyIDs(of: .targets)
        self.keys = keys.filter { authors.contains($0.id) }
        if self.keys.isEmpty { return nil }
    }

    /// Returns the text of the file for an index: a line for each key.
    func text(of index: [UInt8]) -> String {
        lines(of: Checksum(of: index)).map { $0 + "\n" }.joined()
    }

    private func lines(of index: Checksum) -> [String] {
        keys.map { "\($0.id) \($0.code(of: index))" }.sorted()
    }

    /// An index and its seal, each read once: the checked bytes are the used bytes.
    struct Sealed: Sendable {
        private let index: ReleaseIndex?
        private let checksum: Checksum
        private let lines: Set<Substring>

        /// Reads both; `nil` where one is missing.
        init?(of directory: ReleaseDirectory) {
            guard let index = try? Files.read(directory.path(ReleaseIndex.path)),
                let text = try? Files.read(directory.path(IndexSeal.path), limit: bytesMax)
            else { return nil }
            self.index = ReleaseIndex(index)
            checksum = Checksum(of: index)
            lines = Set(String(decoding: text, as: UTF8.self).split(separator: "\n"))
        }

        /// Returns the index if the keys have sealed it.
        func index(by seal: IndexSeal?) -> ReleaseIndex? {
            guard let seal, lines.isSuperset(of: seal.lines(of: checksum).map { $0[...] }) else {
                return nil
            }
            return index
        }
    }
}

extension SigningKey {
    /// Returns an authentication code of a checksum that only the holder of the key can make.
    fileprivate func code(of checksum: Checksum) -> String {
        let secret = SHA256.hash(data: Data("underway index seal".utf8) + seed)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(checksum.hex.utf8), using: SymmetricKey(data: Data(secret)))
        return HexDigits.encode(code)
    }
}
