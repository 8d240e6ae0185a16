import ContentModel
import UserData

/// A JSON object of a body; errors name the place of a member.
struct WireObject {
    let path: String
    private let members: [DocumentNode.Member]

    init(_ node: DocumentNode, _ path: String) throws(WireError) {
        guard case .object(let members) = node.content else {
            throw WireError(path, "must be an object")
        }
        self.path = path
        self.members = members
    }

    /// Parses a whole body of at most `nodesMax` values into its object.
    static func parse(
        _ bytes: [UInt8], nodesMax: Int = .max
    ) throws(WireError) -> WireObject {
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes, nodesMax: nodesMax)
        } catch {
            let place = "line \(error.position.line), column \(error.position.column)"
            guard error.isTooLarge else {
                throw WireError("", "not JSON: \(error.message) at \(place)")
            }
            var failure = WireError("", "more than \(nodesMax) values")
            failure.isTooLong = true
            throw failure
        }
        return try WireObject(node, "")
    }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Returns a member; `nil` when it is missing or `null`.
    func node(_ key: String) -> DocumentNode? {
        guard let node = members.first(where: { $0.key == key })?.value else { return nil }
        if case .null = node.content { return nil }
        return node
    }

    func required(_ key: String) throws(WireError) -> DocumentNode {
        guard let node = node(key) else { throw WireError(place(key), "is missing") }
        return node
    }

    var keys: [String] { members.map(\.key) }

    func text(_ key: String) throws(WireError) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.content else {
            throw WireError(place(key), "must be text")
        }
        return text
    }

    func requiredText(_ key: String) throws(WireError) -> String {
        guard let text = try text(key) else { throw WireError(place(key), "is missing") }
        return text
    }

    func id(_ key: String) throws(WireError) -> String {
        let text = try requiredText(key)
        guard Validity.isID(text) else {
            throw WireError(place(key), "must be 1 to 200 of letters, digits and ._:/-~@+")
        }
        return text
    }

    /// Reads a whole number from 0 to 2⁵³.
    func number(_ key: String) throws(WireError) -> UInt64? {
        guard let node = node(key) else { return nil }
        return try Self.number(node, place(key))
    }

    func requiredNumber(_ key: String) throws(WireError) -> UInt64 {
        guard let number = try number(key) else { throw WireError(place(key), "is missing") }
        return number
    }

    static func number(_ node: DocumentNode, _ path: String) throws(WireError) -> UInt64 {
        guard case .integer(let value) = node.content, value >= 0,
            Int64(value) <= FieldValue.integerMax
        else { throw WireError(path, "must be a whole number from 0 to 2^53") }
        return UInt64(value)
    }

    func flag(_ key: String) throws(WireError) -> Bool {
        guard let node = node(key) else { return false }
        guard case .bool(let value) = node.content else {
            throw WireError(place(key), "must be true or false")
        }
        return value
    }

    func array(_ key: String) throws(WireError) -> [DocumentNode]? {
        guard let node = node(key) else { return nil }
        guard case .array(let nodes) = node.content else {
            throw WireError(place(key), "must be a list")
        }
        return nodes
    }

    func object(_ key: String) throws(WireError) -> WireObject? {
        guard let node = node(key) else { return nil }
        return try WireObject(node, place(key))
    }

    /// Reads an object of whole numbers.
    func numbers(_ key: String) throws(WireError) -> [String: UInt64] {
        guard let object = try object(key) else { return [:] }
        var result: [String: UInt64] = [:]
        for member in object.members {
            result[member.key] = try Self.number(member.value, object.place(member.key))
        }
        return result
    }
}
