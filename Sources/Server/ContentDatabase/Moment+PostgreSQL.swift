package import PostgresDriver

/// The conversion from and to `timestamptz`, exact to the microsecond.
extension Moment: PostgresScalar {
    /// The microseconds from 1970 to 2000, the origin of the server's times.
    private static var originDistance: Int64 { 946_684_800_000_000 }

    /// The types of a scalar and of an array.
    package static var types: (scalar: PostgresType, array: PostgresType) {
        (.timestamptz, .timestamptzArray)
    }

    /// Appends the binary form.
    package func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        writer.append(microseconds - Self.originDistance)
        return nil
    }

    /// Reads the binary form.
    package static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Moment {
        guard type == .timestamptz else { throw .wrongType(type.rawValue) }
        let (sum, overflow) = try bytes.whole(as: Int64.self)
            .addingReportingOverflow(originDistance)
        guard !overflow else { throw .outOfRange }
        return Moment(microseconds: sum)
    }
}
