import Foundation
import PageRendering
import StudyModel
import Underway

/// The sizes of the pictures of a page, read from the beginnings of their files.
struct PictureSizes {
    /// The frame of a question's picture in pixels.
    static let question = (width: 640, height: 280)
    /// The frame of an option's picture.
    static let option = (width: 480, height: 160)
    /// The frame of a picture on a page of its own.
    static let page = (width: 1_600, height: 1_600)
    /// The frame of an announcement's picture.
    static let announcement = (width: 432, height: 320)

    /// The files on the device, with their sizes as far as a format knows them.
    private let sizes: [Checksum: PictureSize?]

    /// Reads the sizes of files.
    ///
    /// Cost: at most `PictureSize.headBytes` for each file.
    init(of checksums: some Sequence<Checksum> & Sendable, _ services: StudyServices) async {
        let unique = Set(checksums)
        let now = services.clock()
        // Without a size the style reserves a place.
        let read = try? await services.content.perform { store in
            unique.compactMap { checksum -> (Checksum, PictureSize?)? in
                guard let file = try? store.lazyFile(checksum, now: now) else { return nil }
                return (checksum, Self.size(of: file))
            }
        }
        sizes = Dictionary(read ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// Returns true for a picture that is on the device.
    func isHere(_ checksum: Checksum) -> Bool { sizes[checksum] != nil }

    /// Returns the size of a picture within a frame; `nil` for an unknown one.
    func size(_ checksum: Checksum, in frame: (width: Int, height: Int)) -> PictureSize? {
        (sizes[checksum] ?? nil)?.fitted(width: frame.width, height: frame.height)
    }

    private static func size(of url: URL) -> PictureSize? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: PictureSize.headBytes) else { return nil }
        return PictureSize([UInt8](head))
    }
}
