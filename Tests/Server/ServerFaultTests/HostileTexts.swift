/// Texts and bodies that break out of statements, patterns, paths or parsers that are not careful.
enum HostileTexts {
    /// Texts for every place that takes one.
    static let all: [String] = [
        "'", "''", "\"", "\\", "' OR '1'='1", "'; DROP TABLE underway.account; --",
        "x') RETURNING json --", "1; SELECT pg_sleep(9)", "$1", "$$", "${x}", "%s%n", "%", "_", "*",
        "?", ":a", "{a,b}", "(NULL)", "NULL", "\\x00", "\\N", "E'\\000'", "--", "/*", "a/../b",
        "..",
        "\u{0}", "a\u{0}b", "\u{1}", "\u{7F}", "\u{FEFF}a", "\u{202E}a", "\u{FFFD}", "\u{FFFF}",
        "ü", "u\u{308}", "\u{10FFFF}", "İ", "<script>", "\n", " ", "",
        String(repeating: "n", count: 4_096), String(repeating: "é", count: 200),
        "9223372036854775808", "-1", "1e400", "0x10", "true",
    ]

    /// Values as JSON, for every place that takes a value; texts of JSON that no text of Swift can be among them.
    static let values: [[UInt8]] =
        [
            "1e400", "-1e400", "1e-400", "1E5", "0.1", "-0", "-0.0", "1.0", "9007199254740992",
            "9007199254740993", "9223372036854775807", "9223372036854775808",
            "123456789012345678901234567890", "01", "+1", ".5", "NaN", "Infinity", "null", "true",
            "[]", "{}", "[null]", "[[1]]", "[1,\"a\",true,null,0.5]", #"{"$gt":""}"#, #""\u0000""#,
            #""a\u0000b""#, #""\ud800""#, #""\udc00\ud800""#, #""\ud83d\ude00""#, #""\u00""#,
            #""\x41""#, "'a'", "a", "", "1,2", "1}", "/* */ 1", "\"\u{FEFF}\"", "\"\n\"",
            "[1,]", String(repeating: "[", count: 20_000),
            String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000),
            "\"" + String(repeating: "x", count: 17_000) + "\"",
            "[" + (0..<2_000).map(String.init).joined(separator: ",") + "]",
        ].map { Array($0.utf8) } + [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0x00, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
        ]

    /// Whole bodies.
    static let bodies: [[UInt8]] =
        [
            "", "{", "[]", "null", "\"x\"", "1", "{}", #"{"fields":{"n":1},"fields":{"n":2}}"#,
            #"{"fields":{"n":1,"n":2}}"#, #"{"fields":{"__proto__":1}}"#, #"{"fields":{"":1}}"#,
            #"{"fields":{"n":1}} {}"#, #"{"fields":[]}"#, #"{"fields":{}}"#,
            #"{"email":"a@b.c","email":"d@e.f","password":"correct horse"}"#,
            #"{"refresh_token":"a","refresh_token":"b"}"#, #"{"refresh_token":["a"]}"#,
        ].map { Array($0.utf8) }

    /// Places in bodies where `§` is a value, each with its route.
    static let members: [(method: String, path: String, body: String)] =
        [
            ("PUT", "/api/v1/collections/stars/value", #"{"fields":{"x":§}}"#),
            ("PUT", "/api/v1/collections/stars/values", #"{"fields":{"x":[§]}}"#),
            ("PUT", "/api/v1/collections/stars/key", #"{"fields":{§:1}}"#),
            ("PUT", "/api/v1/collections/points/value", #"{"fields":{"x":§}}"#),
            ("PUT", "/api/v1/collections/stars/fields", #"{"fields":§}"#),
        ]
        + [
            ("upgrade", #"{"email":§,"password":"correct horse"}"#),
            ("upgrade", #"{"email":"a@b.c","password":§}"#),
            ("sign-in", #"{"email":§,"password":"correct horse"}"#),
            ("sign-in", #"{"email":"a@b.c","password":§}"#), ("external", #"{"token":§}"#),
            ("refresh", #"{"refresh_token":§}"#), ("revoke", #"{"refresh_token":§}"#),
            ("ways/remove", #"{"way":§}"#), ("ways/remove", #"{"way":"email","accept_last":§}"#),
            ("email/verify", #"{"code":§}"#),
            ("password/reset", #"{"email":§,"code":"0123456789","password":"correct horse"}"#),
            ("password/reset", #"{"email":"a@b.c","code":§,"password":"correct horse"}"#),
            ("password/reset", #"{"email":"a@b.c","code":"0123456789","password":§}"#),
            (
                "password/reset",
                #"{"user":§,"email":"a@b.c","code":"0123456789","password":"correct horse"}"#
            ),
            ("move", #"{"from":§,"proof":"r1"}"#), ("move", #"{"from":"uA","proof":§}"#),
        ].map { ("POST", "/api/accounts/v1/" + $0, $1) }
        + [
            #""version":§,"user":"USER","client":"e0","request":1"#,
            #""version":1,"user":§,"client":"e1","request":1"#,
            #""version":1,"user":"USER","client":§,"request":1"#,
            #""version":1,"user":"USER","client":"e2","request":§"#,
            #""version":1,"user":"USER","client":"e3","request":1,"epoch":§"#,
            #""version":1,"user":"USER","client":"e4","request":1,"cursor":§"#,
            #""version":1,"user":"USER","client":"e5","request":1,"head":§"#,
            #""version":1,"user":"USER","client":"e6","request":1,"head":[1,§]"#,
            #""version":1,"user":"USER","client":"e7","request":1,"held":{§:1}"#,
            #""version":1,"user":"USER","client":"e8","request":1,"processedBefore":§"#,
            #""version":1,"user":"USER","client":"e9","request":1,"operations":§"#,
        ].map { ("POST", "/api/sync/v1/exchange", "{" + $0 + "}") }
        + [
            #""collection":§,"id":"a","put":{"x":1},"time":[1,0]"#,
            #""collection":"stars","id":§,"put":{"x":1},"time":[1,0]"#,
            #""collection":"stars","id":"b","put":{"x":§},"time":[1,0]"#,
            #""collection":"stars","id":"c","put":{§:1},"time":[1,0]"#,
            #""collection":"stars","id":"d","put":{"x":1},"time":§"#,
            #""collection":"notes","id":"e","put":{"x":§},"time":[1,0]"#,
            #""collection":"stars","id":"f","set":{"x":§},"time":[1,0]"#,
            #""collection":"stars","id":"g","put":{"x":1},"seen":§,"time":[1,0]"#,
        ].enumerated().map { number, members in
            (
                "POST", "/api/sync/v1/exchange",
                #"{"version":1,"user":"USER","client":"o\#(number)","request":1,"operations":[{"n":1,\#(members)}]}"#
            )
        }

    /// Encodes every byte of a text for an address.
    static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
