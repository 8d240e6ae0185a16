/// The sets of characters that the constraints of the database name.
///
/// Spelled out, because the classes of PostgreSQL (`\s`, `\S`) leave out white space such as U+00A0,
/// and those of a locale differ between machines. Part of a migration: frozen. A test compares them
/// with the tables of Swift, by which the checker works.
enum CharacterClasses {
    /// White space.
    static let space: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
        0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ]

    /// White space and the characters that no font shows (Default_Ignorable_Code_Point).
    static let invisible: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0xAD...0xAD, 0x34F...0x34F,
        0x61C...0x61C, 0x115F...0x1160, 0x1680...0x1680, 0x17B4...0x17B5, 0x180B...0x180F,
        0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000...0x3000, 0x3164...0x3164,
        0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFF8,
        0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    /// Returns a set as the inside of a bracket expression of PostgreSQL.
    static func bracket(_ ranges: [ClosedRange<UInt32>]) -> String {
        ranges.map { range in
            range.count == 1
                ? escaped(range.lowerBound)
                : "\(escaped(range.lowerBound))-\(escaped(range.upperBound))"
        }.joined()
    }

    private static func escaped(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        let width = value > 0xFFFF ? 8 : 4
        let padding = String(repeating: "0", count: width - digits.count)
        return "\\\(width == 8 ? "U" : "u")\(padding)\(digits)"
    }
}
