import Foundation
import RemoteAssets
import Testing

/// Images of three by two white pixels, as Pillow 13 writes them; of the JPEG only the segments up to
/// the frame, the progressive one with a fill byte before it.
@Suite struct AssetImageTests {
    private static let images: [(AssetImage.Format, String)] = [
        (
            .png,
            "89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d00000016"
                + "49444154789c63fcffff3f03030303030313030c000036060301d621ec450000000049454e44ae426082"
        ),
        (
            .gif,
            "47494638376103000200810000ffffff0000000000000000002c"
                + "00000000030002000008060001081c1810003b"
        ),
        (.jpeg, "ffd8ffe000104a46494600010100000100010000ffc0000b080002000301011100"),
        (.jpeg, "ffd8ffdb000300ffffc2000b080002000301011100"),
        (
            .webp,
            "52494646240000005745425056503820180000003001009d012a030002000cc0ce25a400037000feebae0000"
        ),
        (
            .webp,
            "524946461e000000574542505650384c110000002f0240000007d0fffef7bfff8188e87f0000"
        ),
        (
            .webp,
            "524946464c00000057454250565038580a0000000800000002000001000056503820180000003001009d012a"
                + "0300020001402625a400037000fefcf40000455849460e00000049492a0008000000000000000000"
        ),
    ]

    private func bytes(_ hex: String) -> Data {
        var data = Data()
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            data.append(byte)
            rest = rest.dropFirst(2)
        }
        return data
    }

    @Test func formatAndSizeAreInTheHeader() throws {
        for (format, hex) in Self.images {
            let image = try AssetImage(bytes(hex))
            #expect(image.format == format)
            #expect(image.width == 3 && image.height == 2, "\(format)")
        }
    }

    @Test func anImageThatEndsAnywhereCrashesNothing() {
        for (format, hex) in Self.images {
            let whole = bytes(hex)
            var accepted: [Int] = []
            for count in 0..<whole.count where (try? AssetImage(whole.prefix(count))) != nil {
                accepted.append(count)
            }
            // Of a JPEG the size is known before its end.
            if format != .jpeg { #expect(accepted == [], "\(format)") }
        }
    }

    @Test func anyOtherByteCrashesNothing() {
        for (_, hex) in Self.images {
            let whole = bytes(hex)
            for index in whole.indices {
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                    var changed = whole
                    changed[index] = value
                    let image = try? AssetImage(changed)
                    #expect(image.map { $0.width * $0.height <= AssetImage.pixelsMax } ?? true)
                }
            }
        }
    }

    @Test func tooManyPixelsAreRefused() throws {
        var huge = bytes(Self.images[0].1)
        huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(throws: AssetError.self) { try AssetImage(huge) }
        #expect(throws: AssetError.self) { try AssetImage(bytes(Self.images[0].1), pixelsMax: 5) }
        #expect(try AssetImage(bytes(Self.images[0].1), pixelsMax: 6).data.count == 79)
    }

    @Test(arguments: ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "no image"])
    func whatIsNoImageIsRefused(text: String) {
        #expect(throws: AssetError.self) { try Materializer.image(Data(text.utf8)) }
    }
}
