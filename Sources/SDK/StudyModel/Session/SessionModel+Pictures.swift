import Foundation
import Underway

extension SessionModel {
    /// The maximum length of a picture in bytes; a larger file is not shown.
    public nonisolated static let pictureBytesMax = 16 << 20

    /// Returns the bytes of a picture of the question on the screen.
    ///
    /// - Parameter name: One of the names of ``SessionScreen/images``.
    /// - Returns: The bytes; `nil` for a picture that is not on the device or too large.
    public func picture(_ name: String) async -> [UInt8]? {
        guard let checksum = screen?.images[name],
            // A picture that cannot be read is left out: the question can be answered without it.
            let file = try? await services.content.perform({ [now = services.clock()] in
                try $0.lazyFile(checksum, now: now)
            })
        else { return nil }
        return await Self.bytes(of: file)
    }

    /// Reads a file outside the main actor.
    @concurrent private nonisolated static func bytes(of file: URL) async -> [UInt8]? {
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize,
            size <= pictureBytesMax, let data = try? Data(contentsOf: file)
        else { return nil }
        return Array(data)
    }
}
