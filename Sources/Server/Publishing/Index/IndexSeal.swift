import ContentModel
import Crypto
import Foundation

/// What shows that an index was written by whoever has a key that signs the release.
///
/// The index stands in the release directory and says which sources are published already: somebody who can write there
/// could let a publish sign what he put in, or leave out what the author wrote. So a publish that signs believes an index
/// only with the code that one of its keys gives to its checksum (HMAC, RFC 2104, with SHA-256); without it everything is
/// read again.
struct IndexSeal {
    /// The path in the release directory, beside the index.
    static let path = ReleaseIndex.path + ".seal"
    private static let bytesMax = 200

    private let key: SigningKey

    /// Chooses the key, the same for the same keys; `nil` without one.
    init?(_ keys: [SigningKey]) {
        guard let key = keys.min(by: { $0.id < $1.id }) else { return nil }
        self.key = key
    }

    /// The text of the file for an index.
    func text(of index: [UInt8]) -> String { "\(key.id) \(key.code(of: index))\n" }

    /// Returns the index of a directory if one of the keys has sealed it.
    ///
    /// Both files are read once: what was checked is what is used.
    static func index(of directory: ReleaseDirectory, by keys: [SigningKey]) -> [UInt8]? {
        guard let index = try? Files.read(directory.path(ReleaseIndex.path)),
            let text = try? Files.read(directory.path(path), limit: bytesMax)
        else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let key = keys.first(where: { $0.id == fields[0] }),
            key.code(of: index) == fields[1]
        else { return nil }
        return index
    }
}

extension SigningKey {
    /// An authentication code of bytes that only the holder of the key can make.
    fileprivate func code(of bytes: [UInt8]) -> String {
        let secret = SHA256.hash(data: Data("underway index seal".utf8) + seed)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(Checksum(of: bytes).hex.utf8), using: SymmetricKey(data: Data(secret)))
        return HexDigits.encode(code)
    }
}
