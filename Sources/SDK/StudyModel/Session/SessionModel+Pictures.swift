import Underway

extension SessionModel {
    /// The maximum length of a picture or clip in bytes; a larger file is not shown or played.
    public nonisolated static let pictureBytesMax = 16 << 20

    /// Returns the bytes of a picture of the question on the screen.
    ///
    /// - Parameter name: One of the names of ``SessionScreen/images``.
    /// - Returns: The bytes; `nil` for a picture that is not on the device or too large.
    public func picture(_ name: String) async -> [UInt8]? {
        guard let checksum = screen?.images[name] else { return nil }
        return await QuestionFiles(services).bytes(checksum)
    }

    /// Returns the bytes of the clip of the question on the screen; `nil` for one that is not on the device or too large.
    public func clip() async -> [UInt8]? {
        guard let clip = screen?.clip else { return nil }
        return await QuestionFiles(services).bytes(clip.checksum)
    }
}
