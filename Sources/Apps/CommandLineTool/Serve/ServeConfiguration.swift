import ArgumentParser
import Configuration
import ContentModel
import Foundation
import PostgresDriver
import Publishing
import RedisDriver

/// The configuration of `serve`: options first, then variables of the environment, then a file, then the defaults.
struct ServeConfiguration {
    /// The beginning of the variables' names.
    static let prefix = "UNDERWAY_"
    /// The longest file, in bytes.
    private static let bytesMax = 65_536

    /// The place from which a value comes.
    enum Source: String {
        case option, environment, file
        case standard = "default"
    }

    /// A setting with its value, as it is shown.
    struct Entry {
        let name: String
        /// The value; of an address with a password without it.
        let value: String
        let source: Source
    }

    private typealias Lookup = (AbsoluteConfigKey, ConfigType) throws -> LookupResult

    private let environment: EnvironmentVariablesProvider
    private let file: YAMLSnapshot?
    private let path: String?

    /// Reads the file, if one is named.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - variables: The environment.
    /// - Throws: `CommandFailure` for a file that cannot be read, or that has a key which is no setting.
    init(
        file path: String?,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        // An empty variable is as good as none, as a service manager sets it.
        environment = EnvironmentVariablesProvider(
            environmentVariables: variables.filter {
                $0.key.hasPrefix(Self.prefix) && !$0.value.isEmpty
            })
        self.path = path
        file = try path.map { try Self.read($0) }
    }

    // MARK: File

    private static func read(_ path: String) throws -> YAMLSnapshot {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path)
        else {
            throw CommandFailure(
                .notFound, "There is no file \(path), or it cannot be read.", place: path)
        }
        defer { try? handle.close() }
        let bytes = Array(try handle.read(upToCount: bytesMax + 1) ?? Data())
        guard bytes.count <= bytesMax else {
            throw CommandFailure(
                .usage, "\(path) is longer than \(bytesMax) bytes: is it a configuration?")
        }
        try checkKeys(bytes, path)
        do {
            return try YAMLSnapshot(
                data: bytes.span.bytes, providerName: path, parsingOptions: .default)
        } catch {
            throw CommandFailure(
                .usage,
                "\(path) is not a configuration: settings are \"name: value\", one on a line.")
        }
    }

    /// Finds keys that are no settings, and says where.
    private static func checkKeys(_ bytes: [UInt8], _ path: String) throws {
        let report = DecodingReport(file: path, strictness: .authored)
        let node = SourceDocument.parse(bytes, report: report)
        if let problem = report.problems.first {
            throw CommandFailure(
                .usage, "\(path), line \(problem.position.line): \(problem.message)")
        }
        guard case .object(let members)? = node?.content else { return }
        let settings = ServeSetting.all
        for member in members {
            let line = "\(path), line \(member.keyPosition.line)"
            guard let setting = settings.first(where: { $0.name == member.key }) else {
                throw CommandFailure(
                    .usage,
                    "\(line): there is no setting \"\(member.key)\"."
                        + " The settings are \(settings.map(\.name).joined(separator: ", ")).")
            }
            guard setting.place.takes(member.value.content) else {
                throw CommandFailure(.usage, "\(line): \(setting.name) must be \(setting.form).")
            }
        }
    }

    // MARK: Values

    /// Fills the options that were not given, and returns all settings as they are then.
    ///
    /// - Throws: `CommandFailure` for a value of the wrong form.
    func fill(_ command: inout ServeCommand) throws -> [Entry] {
        try ServeSetting.all.map { setting in
            var source = Source.option
            if setting.value(in: command) == nil {
                source = try find(setting, &command)
            }
            let value = setting.value(in: command)
            let shown = setting.isSecret ? value.map(Self.hidden) : value
            return Entry(name: setting.name, value: shown ?? setting.standard, source: source)
        }
    }

    private func find(_ setting: ServeSetting, _ command: inout ServeCommand) throws -> Source {
        let key = AbsoluteConfigKey([setting.name])
        let variables: Lookup = {
            try environment.value(forKey: $0.prepending("underway"), type: $1)
        }
        let sources: [(Source, String, Lookup?)] = [
            (.environment, setting.variable, variables),
            (.file, "\(path ?? ""): \(setting.name)", file.map { file in file.value }),
        ]
        for (source, place, lookup) in sources {
            let found: ConfigValue?
            do {
                found = try lookup?(key, setting.type).value
            } catch {
                throw CommandFailure(.usage, "\(place) must be \(setting.form).")
            }
            guard let found else { continue }
            do {
                try setting.set(found.content, in: &command)
            } catch let mistake as ValidationError {
                throw CommandFailure(.usage, "\(place): \(mistake.message)")
            }
            return source
        }
        return .standard
    }

    /// Returns an address without its password.
    private static func hidden(_ text: String) -> String {
        if let address = try? PostgresAddress(text) { return "\(address)" }
        if let address = try? RedisAddress(text) { return "\(address)" }
        return "(an address that cannot be read)"
    }
}
