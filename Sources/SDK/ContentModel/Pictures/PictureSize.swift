/// The width and height of a picture in pixels, as the beginning of its file says.
///
/// A browser that knows both before the file arrives reserves the place, so nothing moves. A file can name any number:
/// a size outside of 1 to ``sideMax`` counts as unknown, and pages use ``fitted(width:height:)``.
///
/// ```swift
/// if let size = PictureSize(width: 1200, height: 800)?.fitted(width: 600, height: 600) {
///     print(size.width, size.height)  // 600 400
/// }
/// ```
public struct PictureSize: Sendable, Hashable {
    /// The longest side in pixels that is believed.
    public static let sideMax = 30_000
    /// The number of bytes at the beginning of a file that are read; a size after them is not found.
    public static let headBytes = 128 * 1024

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// True for a drawing that names only its proportions, so that it may be enlarged.
    public let isScalable: Bool

    /// Creates a size; `nil` for a side outside of 1 to ``sideMax``.
    public init?(width: Int, height: Int, isScalable: Bool = false) {
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else {
            return nil
        }
        (self.width, self.height, self.isScalable) = (width, height, isScalable)
    }

    /// Reads the size of a PNG, JPEG, GIF, WebP or SVG.
    ///
    /// Cost: linear in the bytes, of which at most ``headBytes`` are looked at.
    /// It is `nil` for another format, a damaged file, or a size that is not believed.
    /// - Parameter file: The file, or its beginning.
    public init?(_ file: [UInt8]) {
        guard let size = PictureFormat.sized(file)?.size else { return nil }
        self = size
    }

    /// Returns the largest size of the same proportions within a frame; only a drawing without a size of its own grows.
    ///
    /// - Parameters:
    ///   - width: The width of the frame, at least 1.
    ///   - height: The height of the frame, at least 1.
    /// - Returns: The size, at least 1 by 1.
    public func fitted(width: Int, height: Int) -> PictureSize {
        let scale = min(Double(width) / Double(self.width), Double(height) / Double(self.height))
        let used = isScalable ? scale : min(1, scale)
        let sides = [self.width, self.height].map { max(1, Int((Double($0) * used).rounded())) }
        return PictureSize(
            width: min(sides[0], width), height: min(sides[1], height), isScalable: isScalable)
            ?? self
    }
}
