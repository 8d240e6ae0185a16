/// A data type of the server by its OID, as in the catalog `pg_type`; an open set.
public struct PostgresType: RawRepresentable, Sendable, Hashable {
    /// The OID.
    public let rawValue: UInt32

    /// Creates a type.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The unspecified type: the server infers it from the statement.
    public static let unspecified = PostgresType(rawValue: 0)
    /// `boolean`.
    public static let bool = PostgresType(rawValue: 16)
    /// `bytea`.
    public static let bytea = PostgresType(rawValue: 17)
    /// `name`, the type of identifiers.
    public static let name = PostgresType(rawValue: 19)
    /// `bigint`.
    public static let int8 = PostgresType(rawValue: 20)
    /// `smallint`.
    public static let int2 = PostgresType(rawValue: 21)
    /// `integer`.
    public static let int4 = PostgresType(rawValue: 23)
    /// `text`.
    public static let text = PostgresType(rawValue: 25)
    /// `oid`.
    public static let oid = PostgresType(rawValue: 26)
    /// `json`.
    public static let json = PostgresType(rawValue: 114)
    /// `real`.
    public static let float4 = PostgresType(rawValue: 700)
    /// `double precision`.
    public static let float8 = PostgresType(rawValue: 701)
    /// The type of an unresolved quoted literal.
    public static let unknown = PostgresType(rawValue: 705)
    /// `character`.
    public static let bpchar = PostgresType(rawValue: 1042)
    /// `character varying`.
    public static let varchar = PostgresType(rawValue: 1043)
    /// `timestamp with time zone`.
    public static let timestamptz = PostgresType(rawValue: 1184)
    /// `void`, the result of functions that return nothing.
    public static let void = PostgresType(rawValue: 2278)
    /// `uuid`.
    public static let uuid = PostgresType(rawValue: 2950)
    /// `jsonb`.
    public static let jsonb = PostgresType(rawValue: 3802)
    /// `boolean[]`.
    public static let boolArray = PostgresType(rawValue: 1000)
    /// `smallint[]`.
    public static let int2Array = PostgresType(rawValue: 1005)
    /// `integer[]`.
    public static let int4Array = PostgresType(rawValue: 1007)
    /// `text[]`.
    public static let textArray = PostgresType(rawValue: 1009)
    /// `bigint[]`.
    public static let int8Array = PostgresType(rawValue: 1016)
    /// `real[]`.
    public static let float4Array = PostgresType(rawValue: 1021)
    /// `double precision[]`.
    public static let float8Array = PostgresType(rawValue: 1022)
    /// `bytea[]`.
    public static let byteaArray = PostgresType(rawValue: 1001)
    /// `timestamp with time zone[]`.
    public static let timestamptzArray = PostgresType(rawValue: 1185)
    /// `uuid[]`.
    public static let uuidArray = PostgresType(rawValue: 2951)
}
