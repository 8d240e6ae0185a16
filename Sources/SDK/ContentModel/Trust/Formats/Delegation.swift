/// The delegation of some targets to another role (TUF 4.5).
struct Delegation: Sendable {
    /// The paths that are delegated.
    enum Paths: Sendable {
        /// Those that match one of the patterns.
        case patterns([PathPattern])
        /// Those whose SHA-256 begins with one of the texts.
        case hashPrefixes([String])
    }

    /// The name of the role.
    let role: String
    /// The keys of the role.
    let authority: Authority
    /// True when no later delegation may be asked about a path that this one matches.
    let isTerminating: Bool
    /// The paths.
    let paths: Paths

    /// Reads the delegations of a role in their order.
    static func list(_ reader: MetadataReader) throws(TrustError) -> [Delegation] {
        let keys = Authority.keys(try reader.object("keys"))
        var delegations: [Delegation] = []
        var names: Set<String> = []
        for node in try reader.list("roles") {
            let delegation = try Delegation(
                MetadataReader(node, role: reader.role, place: "\(reader.place).roles"), keys)
            guard names.insert(delegation.role).inserted else {
                throw .invalid(reader.role, "\(reader.place).roles names a role twice")
            }
            delegations.append(delegation)
        }
        return delegations
    }

    private init(_ reader: MetadataReader, _ keys: [String: TrustKey]) throws(TrustError) {
        role = try reader.string("name")
        guard !role.isEmpty, TrustRole(rawValue: role) == nil else {
            throw .invalid(reader.role, "\(reader.place) delegates to a top-level or unnamed role")
        }
        authority = try Authority(reader, keys: keys)
        isTerminating =
            reader.optional("terminating") == nil ? false : try reader.bool("terminating")
        let hasPatterns = reader.optional("paths") != nil
        let hasPrefixes = reader.optional("path_hash_prefixes") != nil
        guard !(hasPatterns && hasPrefixes) else {
            throw .invalid(reader.role, "\(reader.place) has paths and path_hash_prefixes")
        }
        paths =
            hasPrefixes
            ? .hashPrefixes(try reader.strings("path_hash_prefixes"))
            : .patterns(
                hasPatterns ? try reader.strings("paths").map { PathPattern($0) } : [])
    }

    /// Returns true if the role is delegated a target.
    ///
    /// - Parameters:
    ///   - path: The path of the target.
    ///   - pathHash: The SHA-256 of the path's UTF-8, as lowercase digits.
    /// - Returns: True when one of the patterns or prefixes matches.
    func covers(_ path: String, pathHash: String) -> Bool {
        switch paths {
        case .patterns(let patterns): patterns.contains { $0.matches(path) }
        case .hashPrefixes(let prefixes): prefixes.contains { pathHash.hasPrefix($0) }
        }
    }
}
