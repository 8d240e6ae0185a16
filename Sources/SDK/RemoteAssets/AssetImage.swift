public import Foundation

#if canImport(SwiftUI)
public import SwiftUI
#endif
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// An image whose format and size were read from its header, before it is decoded.
///
/// ```swift
/// do {
///     let image = try AssetImage(Data([0x89, 0x50]))
///     print(image.width, image.height)
/// } catch let error as AssetError {
///     print(error.code == .refused)  // true
/// }
/// ```
public struct AssetImage: Sendable, Hashable {
    /// A format that is recognized by its first bytes.
    public enum Format: String, Sendable, Hashable {
        /// Portable Network Graphics.
        case png
        /// JPEG.
        case jpeg
        /// Graphics Interchange Format.
        case gif
        /// WebP.
        case webp
    }

    /// The format.
    public let format: Format
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The bytes of the whole file.
    public let data: Data

    /// The maximum number of pixels, since a small file may decompress to very many.
    public static let pixelsMax = 40_000_000

    /// Reads the header of an image.
    ///
    /// - Parameters:
    ///   - data: The whole file.
    ///   - pixelsMax: The maximum number of pixels.
    /// - Throws: `AssetError` `refused` for another format, a missing size, or too many pixels.
    public init(_ data: Data, pixelsMax: Int = AssetImage.pixelsMax) throws {
        guard let header = ImageHeader([UInt8](data)) else {
            throw AssetError(
                .refused, "It is not a PNG, JPEG, GIF or WebP image, or a broken one. Replace it.")
        }
        guard header.width > 0, header.height > 0, header.width <= pixelsMax,
            header.height <= pixelsMax / header.width
        else {
            throw AssetError(
                .refused,
                "It has \(header.width) x \(header.height) pixels; at most \(pixelsMax) are shown. Make it smaller."
            )
        }
        format = header.format
        width = header.width
        height = header.height
        self.data = data
    }

    #if canImport(UIKit)
    /// The image for UIKit; `nil` when the system cannot decode it.
    public var uiImage: UIImage? { UIImage(data: data) }
    #elseif canImport(AppKit)
    /// The image for AppKit; `nil` when the system cannot decode it.
    public var nsImage: NSImage? { NSImage(data: data) }
    #endif

    #if canImport(SwiftUI) && canImport(UIKit)
    /// The image for SwiftUI; `nil` when the system cannot decode it.
    public var image: Image? { uiImage.map { Image(uiImage: $0) } }
    #elseif canImport(SwiftUI) && canImport(AppKit)
    /// The image for SwiftUI; `nil` when the system cannot decode it.
    public var image: Image? { nsImage.map { Image(nsImage: $0) } }
    #endif
}

extension Materializer where Value == AssetImage {
    /// A PNG, JPEG, GIF or WebP image of at most 8 MiB and 40 million pixels.
    public static var image: Materializer {
        Materializer(bytesMax: 8 << 20) { data, _ in try AssetImage(data) }
    }
}
