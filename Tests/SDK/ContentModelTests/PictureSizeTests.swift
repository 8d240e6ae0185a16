import ContentModel
import TestSupport
import Testing

/// Sizes of pictures from the beginnings of their files, none of which is trusted.
struct PictureSizeTests {
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        big(value, count).reversed()
    }

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        joined(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], big(13, 4), text("IHDR"),
            big(width, 4), big(height, 4), [8, 2, 0, 0, 0])
    }

    /// A segment of a file, with its marker.
    private struct Segment {
        var marker: UInt8
        var content: [UInt8]
        var bytes: [UInt8] { joined([0xFF, marker], big(content.count + 2, 2), content) }
    }

    /// A frame after segments.
    private static func jpeg(
        _ width: Int, _ height: Int, frame: UInt8 = 0xC0, after segments: [Segment] = []
    ) -> [UInt8] {
        let content = joined([8], big(height, 2), big(width, 2), [1, 1, 0x11, 0])
        let all = segments + [Segment(marker: frame, content: content)]
        return [0xFF, 0xD8] + all.flatMap(\.bytes)
    }

    /// The segment of a camera that noted how it was held.
    private static func exif(_ orientation: Int, isBig: Bool) -> Segment {
        let number = isBig ? big : little
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            joined(number(tag, 2), number(3, 2), number(1, 4), number(value, 2), [0, 0])
        }
        let head = joined(text(isBig ? "MM" : "II"), number(42, 2), number(8, 4))
        let entries = joined(number(2, 2), entry(0x0100, 3), entry(0x0112, orientation))
        return Segment(marker: 0xE1, content: joined(text("Exif\0\0"), head, entries))
    }

    private static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        joined(text("GIF89a"), little(width, 2), little(height, 2), [0, 0, 0])
    }

    private static func webP(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
        joined(text("RIFF"), [0, 0, 0, 0], text("WEBP" + chunk), [0, 0, 0, 0], content)
    }

    private static func expect(_ bytes: [UInt8], _ width: Int, _ height: Int) {
        #expect(PictureSize(bytes) == PictureSize(width: width, height: height))
        #expect(PictureSize(width: width, height: height) != nil)
    }

    @Test func eachFormatHasItsSizeAtItsPlace() {
        Self.expect(Self.png(640, 480), 640, 480)
        Self.expect(Self.gif(300, 7), 300, 7)
        Self.expect(Self.jpeg(1_024, 768), 1_024, 768)
        Self.expect(
            Self.jpeg(
                5, 6, frame: 0xC2,
                after: [
                    Segment(marker: 0xE0, content: [1, 2]), Segment(marker: 0xC4, content: [3]),
                ]),
            5, 6)
        Self.expect(
            Self.webP("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00]), 320, 240)
        // 14 bits of width - 1, then 14 bits of height - 1.
        let packed = 319 | 239 << 14
        Self.expect(Self.webP("VP8L", [0x2F] + Self.little(packed, 4)), 320, 240)
        let canvas = Self.joined([0, 0, 0, 0], Self.little(319, 3), Self.little(239, 3))
        Self.expect(Self.webP("VP8X", canvas), 320, 240)
    }

    /// A browser turns the picture, so its width is the height of the file.
    @Test(arguments: 1...8, [true, false])
    func aPictureThatLiesOnItsSideIsTurned(orientation: Int, isBig: Bool) {
        let file = Self.jpeg(40, 30, after: [Self.exif(orientation, isBig: isBig)])
        let isTurned = orientation >= 5
        Self.expect(file, isTurned ? 30 : 40, isTurned ? 40 : 30)
    }

    @Test(arguments: [
        ("<svg width='120' height=\"80px\"/>", 120, 80),
        (
            "<?xml version='1.0'?><!-- <svg width='1' height='1'> -->\n<!DOCTYPE svg><svg height='1in' width='72pt'>",
            96, 96
        ),
        ("<svg viewBox='0 0 10 20' width='50'>", 50, 100),
        ("<svg height='50' viewBox='0,0,10,20'>", 25, 50),
        ("<svg width = '3' height\n=\t'4' width='9'>", 3, 4),
        ("<svg data-width='1' width='3' height='4'>", 3, 4),
    ])
    func aDrawingHasTheSizeOfItsFirstTag(text: String, width: Int, height: Int) {
        Self.expect(Array(text.utf8), width, height)
    }

    @Test(arguments: [
        "", "<", "<svg", "<svg/>", "<svg width='3'>", "<svg width='100%' height='100%'>",
        "<svg width='3em' height='4em'>", "<svg width='nan' height='inf'>",
        "<html width='3' height='4'>",
        "<svg width='-3' height='4'>", "<svg width='0' height='4'>", "<svg width='1e9' height='4'>",
        "<svg width='0x10' height='4'>", "<svg viewBox='0 0 0 5'>", "<svg viewBox='0 0 5'>",
        "<svg width='99999999999999999999999999' height='4'>", "<svg width=3 height=4>",
        "<!-- <svg width='3' height='4'>", "text <b>", "<svg width='30001' height='4'>",
    ])
    func whatIsNoSizeHasNone(text: String) {
        #expect(PictureSize(Array(text.utf8)) == nil, "\(text)")
    }

    @Test func aFileCanNameAnyNumberButIsNotBelieved() {
        #expect(PictureSize(Self.png(0, 5)) == nil)
        #expect(PictureSize(Self.png(0xFFFF_FFFF, 0xFFFF_FFFF)) == nil)
        #expect(PictureSize(Self.png(PictureSize.sideMax + 1, 5)) == nil)
        Self.expect(Self.png(PictureSize.sideMax, 1), PictureSize.sideMax, 1)
        #expect(PictureSize(Self.jpeg(0, 0)) == nil)
        #expect(PictureSize(Self.gif(0, 0)) == nil)
    }

    /// A frame behind more than what is read is not looked for.
    @Test func onlyTheBeginningIsRead() {
        let segment = Segment(marker: 0xE2, content: [UInt8](repeating: 0, count: 60_000))
        let long = [segment, segment, segment]
        #expect(PictureSize(Self.jpeg(40, 30, after: long)) == nil)
        Self.expect(Self.jpeg(40, 30, after: Array(long.prefix(2))), 40, 30)
    }

    @Test func aSizeIsFittedIntoItsFrame() throws {
        func fitted(_ width: Int, _ height: Int, isScalable: Bool = false) throws -> [Int] {
            let size = try #require(
                PictureSize(width: width, height: height, isScalable: isScalable))
            let result = size.fitted(width: 640, height: 280)
            return [result.width, result.height]
        }
        #expect(try fitted(100, 50) == [100, 50])
        #expect(try fitted(1_280, 280) == [640, 140])
        #expect(try fitted(560, 560) == [280, 280])
        #expect(try fitted(30_000, 1) == [640, 1])
        #expect(try fitted(1, 30_000) == [1, 280])
        #expect(try fitted(24, 24, isScalable: true) == [280, 280])
        let drawing = try #require(PictureSize(Array("<svg viewBox='0 0 24 12'>".utf8)))
        #expect(drawing.isScalable)
    }

    /// Cut and changed files of each format are read without a trap, and never give a size out of bounds.
    @Test func damagedFilesNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let svg = Array("<svg viewBox='0 0 10 20' width='50' height='9'>".utf8)
        let files = [
            Self.png(640, 480), Self.gif(3, 4), svg,
            Self.jpeg(40, 30, after: [Self.exif(6, isBig: true), Self.exif(6, isBig: false)]),
            Self.webP("VP8L", [0x2F, 1, 2, 3, 4]),
            Self.webP("VP8X", [UInt8](repeating: 9, count: 10)),
        ]
        for file in files {
            for length in 0...file.count { check(Array(file.prefix(length)), seed) }
            for _ in 0..<2_000 {
                var changed = file
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<changed.count, using: &generator)
                    changed[place] = UInt8.random(in: 0...255, using: &generator)
                }
                check(changed, seed)
            }
        }
    }

    private func check(_ file: [UInt8], _ seed: UInt64) {
        guard let size = PictureSize(file) else { return }
        let sides = 1...PictureSize.sideMax
        #expect(sides.contains(size.width) && sides.contains(size.height), "seed \(seed): \(file)")
        let fitted = size.fitted(width: 640, height: 280)
        #expect((1...640).contains(fitted.width) && (1...280).contains(fitted.height), "\(seed)")
    }
}
