import ContentModel
import Foundation
import TestSupport
import Testing

@testable import ServiceAPI

/// Windows of VCDIFF and the head of a changeset, byte by byte.
@Suite struct DeltaWindowTests {
    private static let base = Array("{\"correct\":[3],\"stem\":\"What does Monday mean?\"}".utf8)
    private static let target = Array("{\"correct\":[1],\"stem\":\"What does Tuesday mean?\"}".utf8)
    private static let window = bytes("3005060331547565731c021314051b000d24")

    static func bytes(_ digits: String) -> [UInt8] { HexDigits.decode(digits) ?? [] }

    private func decoded(
        _ window: [UInt8], _ base: [UInt8] = Self.base, bytesMax: Int = 1 << 20
    ) throws -> [UInt8] {
        var reader = ChangesetReader(window)
        let result = try DeltaWindow.decode(&reader, base: base, bytesMax: bytesMax)
        guard reader.isAtEnd else { throw ChangesetError.damaged("bytes are left over") }
        return result
    }

    @Test func theVectorIsDecoded() throws {
        #expect(try decoded(Self.window) == Self.target)
    }

    /// Windows by xdelta3, of which `Tests/Fixtures/Changesets/xdelta3.py` says how they were made.
    @Test func theWindowsOfAnotherEncoderAreDecoded() throws {
        struct Row: Decodable {
            var base: Data
            var target: Data
            var window: Data
        }
        let rows = try JSONDecoder().decode(
            [Row].self, from: Data(contentsOf: fixture("Changesets/xdelta3.json")))
        #expect(rows.count == 60)
        for (number, row) in rows.enumerated() {
            let result = try decoded([UInt8](row.window), [UInt8](row.base))
            #expect(result == [UInt8](row.target), "row \(number)")
        }
    }

    @Test func theDefaultTableHasTheCodesOfTheStandard() {
        let codes = CodeTable.standard
        #expect(codes.count == 256)
        // RFC 3284, section 5.6: the first and last code of each of its groups.
        let copy = { (mode: Int, size: Int) in
            CodeTable.Instruction(kind: .copy(mode: mode), size: size)
        }
        let add = { (size: Int) in CodeTable.Instruction(kind: .add, size: size) }
        #expect(codes[0].first == CodeTable.Instruction(kind: .run, size: 0))
        #expect(codes[1].first == add(0) && codes[18].first == add(17))
        #expect(codes[19].first == copy(0, 0) && codes[20].first == copy(0, 4))
        #expect(codes[34].first == copy(0, 18) && codes[162].first == copy(8, 18))
        #expect(codes[163].first == add(1) && codes[163].second == copy(0, 4))
        #expect(codes[234].first == add(4) && codes[234].second == copy(5, 6))
        #expect(codes[235].first == add(1) && codes[235].second == copy(6, 4))
        #expect(codes[246].first == add(4) && codes[246].second == copy(8, 4))
        #expect(codes[247].first == copy(0, 4) && codes[247].second == add(1))
        #expect(codes[255].first == copy(8, 4) && codes[255].second == add(1))
    }

    /// A run, a copy of what the window itself has just written, and a pair of instructions in one code.
    @Test func everyKindOfInstructionIsFollowed() throws {
        // RUN 3 "x"; COPY 6 at 1 (from its own result, over its end); ADD 1 "y" and COPY 4 from 0.
        let window: [UInt8] = [14, 2, 4, 2, 0x78, 0x79, 0, 3, 22, 163, 1, 0]
        let result = try decoded(window, [0x61])
        #expect(String(decoding: result, as: UTF8.self) == "xxxxxxxxxyaxxx")
    }

    @Test(arguments: [
        // Longer than it says, shorter, bytes left in a section, an address beyond the present place.
        "0105060331547565731c021314051b000d24", "3105060331547565731c021314051b000d24",
        "300506043154756573" + "1c021314051b000d2400", "3005060331547565731c021314051b000d7f",
        // A number in a longer form than it needs, a copy of nothing.
        "803005060331547565731c021314051b000d24", "3005080331547565731c0213140513001b000d24", "",
        "30", "3005",
    ])
    func whatIsNotExactlyAWindowIsRefused(digits: String) {
        #expect(throws: ChangesetError.self) { try decoded(Self.bytes(digits)) }
    }

    @Test func aWindowIsBounded() {
        #expect(throws: ChangesetError.self) { try decoded(Self.window, bytesMax: 47) }
        // A run of 2 GiB in a few bytes.
        let long: [UInt8] = [0x87, 0xFF, 0xFF, 0xFF, 0x7F]
        let bomb = long + [1, 6, 0, 0x61, 0] + long
        #expect(throws: ChangesetError.self) { try decoded(bomb) }
    }

    @Test func theVectorOfATimestampThatIsSignedAgainIsReadAndWritten() throws {
        let signature =
            "c7bf47fc86547ea7d901b0de7766c6e71874fd50bbbe33415a0fdbd0623aa197"
            + "e7a4a1c1aa21259e2bca102e7da03e8f472905f3865103efa59a726dd9496f0c"
        let vector = Self.bytes("55574331823e823e01018933936301" + signature)
        #expect(vector.count == 79)
        let changeset = try Changeset(vector)
        #expect(changeset.from == 318 && changeset.to == 318 && changeset.rootVersion == 1)
        let fact = try #require(changeset.facts[.timestamp])
        #expect(fact.version == 1203 && fact.signers == [0])
        #expect(fact.expires.formatted(.iso8601) == "2026-12-06T00:00:00Z")
        #expect(changeset.facts.count == 1 && changeset.body.isEmpty && !changeset.isDeflated)
        #expect(changeset.bytes == vector)
        for length in 0..<vector.count {
            #expect(throws: ChangesetError.self) { try Changeset(Array(vector.prefix(length))) }
        }
    }

    @Test(arguments: [
        "", "UWC2", "<!doctype html>", "{\"schemaVersion\":2}",
    ])
    func otherBytesAreNoChangeset(text: String) {
        #expect(throws: ChangesetError.isNone) { try Changeset(Array(text.utf8)) }
    }

    @Test func checksumsOfAManifestAreFoundAndPredicted() {
        let (one, two, new) = (
            Checksum(of: [1]), Checksum(of: [2]), Checksum(of: [3])
        )
        let rest = "},\"sha256:\":1}"
        let text =
            "{\"a\":{\"checksum\":\"\(one)\",\"size\":9},\"b\":{\"checksum\":\"\(two)\"" + rest
        let ordinals = ManifestOrdinals(Array(text.utf8))
        #expect(ordinals.places.count == 2)
        #expect(String(decoding: ordinals.digits(1), as: UTF8.self) == two.hex)
        let predicted = ordinals.predicted([
            (0, Array(new.hex.utf8), 1234), (1, Array(one.hex.utf8), 5),
        ])
        #expect(
            String(decoding: predicted, as: UTF8.self)
                == "{\"a\":{\"checksum\":\"\(new)\",\"size\":1234},\"b\":{\"checksum\":\"\(one)\""
                + rest)
        #expect(ordinals.predicted([]) == Array(text.utf8))
        #expect(ManifestOrdinals([]).places.isEmpty)
        #expect(ManifestOrdinals(Array(text.utf8.prefix(60))).places.isEmpty)
    }

    /// Against a search at each byte, in texts that consist of parts of what is searched for.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 1, 2, 3])
    func noChecksumIsMissed(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let mark = Array("\"sha256:".utf8)
        for _ in 0..<300 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...30, using: &chance) {
                let part = Int.random(in: 0..<mark.count, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: text += mark
                case 1: text += mark[part...]
                case 2: text += mark[..<part]
                default: text += repeatElement(0x61, count: part * 10)
                }
            }
            var places: [Int] = []
            for index in text.indices.dropLast(mark.count + 63)
            where index >= (places.last ?? -64) + 64 && text[index...].starts(with: mark) {
                places.append(index + mark.count)
            }
            let ordinals = ManifestOrdinals(text)
            #expect(ordinals.places == places, "seed \(seed)")
            // Another one of the same length, in which marks come, go and stay.
            for _ in 0..<Int.random(in: 0...3, using: &chance) where !text.isEmpty {
                let place = Int.random(in: text.indices, using: &chance)
                let part = mark[..<min(mark.count, text.count - place)]
                if Bool.random(using: &chance) {
                    text.replaceSubrange(place..<place + part.count, with: part)
                } else {
                    text[place] = 0x61
                }
            }
            #expect(
                ManifestOrdinals(text, like: ordinals).places == ManifestOrdinals(text).places,
                "seed \(seed)")
        }
    }

    @Test func rawDeflateEndsExactly() throws {
        let bytes = Array(String(repeating: "underway ", count: 100).utf8)
        let packed = try #require(RawDeflate.packed(bytes))
        #expect(RawDeflate.unpacked(packed, count: bytes.count) == bytes)
        #expect(RawDeflate.unpacked(packed, count: bytes.count - 1) == nil)
        #expect(RawDeflate.unpacked(packed, count: bytes.count + 1) == nil)
        #expect(RawDeflate.unpacked(packed + [0], count: bytes.count) == nil)
        #expect(RawDeflate.unpacked(Array(packed.dropLast()), count: bytes.count) == nil)
        #expect(RawDeflate.unpacked([], count: 0) == nil)
    }

    /// Around each size at which another window or more memory is taken.
    @Test func rawDeflatePacksAnySize() throws {
        var chance = SeededGenerator(seed: 19)
        for step in 0...17 {
            let power = 1 << step
            for size in [power - 263, power - 262, power - 261, power - 2, power - 1, power]
            where size >= 0 {
                let noise = (0..<size).map { _ in UInt8.random(in: 0...255, using: &chance) }
                let text = (0..<size).map { UInt8(ascii: $0 % 7 == 3 ? "a" : "b") }
                for bytes in [noise, text] {
                    let packed = try #require(RawDeflate.packed(bytes))
                    #expect(RawDeflate.unpacked(packed, count: size) == bytes, "\(size) bytes")
                    let gzip = try #require(Gzip.packed(bytes, level: 9))
                    #expect(packed.count <= gzip.count - 18, "\(size) bytes")
                }
            }
        }
    }
}
