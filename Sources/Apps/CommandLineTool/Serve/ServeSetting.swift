import Configuration
import ContentModel

/// A setting of `serve`: an option, a variable of the environment, and a key of a configuration file, under one name.
struct ServeSetting {
    /// The place of a setting among the options, and with it the form of its values.
    enum Place {
        case text(WritableKeyPath<ServeCommand, String?>)
        case path(WritableKeyPath<ServeCommand, String?>)
        case number(WritableKeyPath<ServeCommand, Int?>)
        case decimal(WritableKeyPath<ServeCommand, Double?>)
        case flag(WritableKeyPath<ServeCommand, Bool?>)
        case list(WritableKeyPath<ServeCommand, [String]>)

        /// Returns true for a value of a file that can be of this form; numbers are read more closely later.
        func takes(_ content: DocumentNode.Content) -> Bool {
            switch (self, content) {
            case (.list, .array), (.list, .string): true
            case (_, .array), (_, .object), (_, .null): false
            case (.number, .bool), (.decimal, .bool), (.number, .string), (.decimal, .string): false
            default: true
            }
        }
    }

    /// The name, as of its option.
    let name: String
    let place: Place
    /// The value when nothing says another one, in words.
    let standard: String
    /// True for an address that may have a password.
    var isSecret = false

    /// All settings, in the order in which they are printed.
    static var all: [ServeSetting] {
        [
            ServeSetting(name: "release", place: .path(\.release), standard: "release"),
            ServeSetting(name: "host", place: .text(\.host), standard: "127.0.0.1"),
            ServeSetting(name: "port", place: .number(\.port), standard: "8080"),
            ServeSetting(name: "data", place: .path(\.data), standard: "none: content alone"),
            ServeSetting(
                name: "database", place: .text(\.database.database), standard: "none: SQLite",
                isSecret: true),
            ServeSetting(
                name: "database-connections", place: .number(\.databaseConnections), standard: "8"),
            ServeSetting(
                name: "prepared-statements", place: .flag(\.preparedStatements), standard: "no"),
            ServeSetting(
                name: "redis", place: .text(\.redis.redis), standard: "none", isSecret: true),
            ServeSetting(name: "declared", place: .path(\.declared), standard: "none"),
            ServeSetting(name: "keys", place: .path(\.keys), standard: "that of data"),
            ServeSetting(name: "mailbox", place: .path(\.mailbox), standard: "none"),
            ServeSetting(name: "behind-proxy", place: .flag(\.behindProxy), standard: "no"),
            ServeSetting(name: "trusted-proxy", place: .list(\.trustedProxy), standard: "none"),
            ServeSetting(
                name: "connections-per-address", place: .number(\.connectionsPerAddress),
                standard: "256"),
            ServeSetting(name: "threads", place: .number(\.threads), standard: "one per core"),
            ServeSetting(name: "metrics", place: .text(\.metrics), standard: "none"),
            ServeSetting(name: "traces", place: .text(\.tracing.traces), standard: "none"),
            ServeSetting(
                name: "trace-share", place: .decimal(\.tracing.traceShare), standard: "0.05"),
            ServeSetting(name: "desk", place: .path(\.desk.desk), standard: "none"),
            ServeSetting(
                name: "desk-origin", place: .text(\.desk.deskOrigin),
                standard: "http:// with host and port"),
            ServeSetting(
                name: "desk-approval", place: .flag(\.desk.deskApproval), standard: "no"),
            ServeSetting(name: "desk-keys", place: .path(\.desk.deskKeys), standard: "none"),
            ServeSetting(name: "timestamp-key", place: .path(\.timestampKey), standard: "none"),
            ServeSetting(name: "quiet", place: .flag(\.quiet), standard: "no"),
        ]
    }

    /// The name of its variable in the environment.
    var variable: String {
        ServeConfiguration.prefix
            + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) })
    }

    /// The form of its values, for a lookup.
    var type: ConfigType {
        switch place {
        case .text, .path: .string
        case .number: .int
        case .decimal: .double
        case .flag: .bool
        case .list: .stringArray
        }
    }

    /// The form of its values in words.
    var form: String {
        switch place {
        case .text, .path: "a text"
        case .number: "a whole number"
        case .decimal: "a number"
        case .flag: "true or false"
        case .list: "a list of texts"
        }
    }

    /// Returns the value among the options in words; `nil` for none.
    func value(in command: ServeCommand) -> String? {
        switch place {
        case .text(let path), .path(let path): command[keyPath: path]
        case .number(let path): command[keyPath: path].map { String($0) }
        case .decimal(let path): command[keyPath: path].map { String($0) }
        case .flag(let path): command[keyPath: path].map { $0 ? "yes" : "no" }
        case .list(let path):
            command[keyPath: path].isEmpty
                ? nil : command[keyPath: path].joined(separator: ", ")
        }
    }

    /// Sets the option to what a lookup found.
    ///
    /// - Throws: An error for a path that cannot be.
    func set(_ content: ConfigContent, in command: inout ServeCommand) throws {
        switch (place, content) {
        case (.text(let path), .string(let text)): command[keyPath: path] = text
        case (.path(let path), .string(let text)):
            command[keyPath: path] = try PathArgument.path(text)
        case (.number(let path), .int(let number)): command[keyPath: path] = number
        case (.decimal(let path), .double(let number)): command[keyPath: path] = number
        case (.flag(let path), .bool(let isOn)): command[keyPath: path] = isOn
        case (.list(let path), .stringArray(let texts)): command[keyPath: path] = texts
        default: break
        }
    }
}
