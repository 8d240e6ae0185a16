import ContentModel
import Publishing

/// The files that an import changes, before any of them is written.
struct ImportPlan {
    /// The folder of the exam.
    let path: String
    /// The names in the folder, in the order of writing.
    private(set) var names: [String] = []
    private var bytes: [String: [UInt8]] = [:]

    init(path: String) { self.path = path }

    /// The bytes of a file after the changes so far; `nil` where none is.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func read(_ name: String) throws -> [UInt8]? {
        if let planned = bytes[name] { return planned }
        return try present(name)
    }

    /// The bytes of a file as it is; `nil` where none is.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func present(_ name: String) throws -> [UInt8]? {
        let file = path + "/" + name
        return Files.look(file)?.kind == .file ? try Files.read(file) : nil
    }

    /// Returns true where nothing has a name.
    func isFree(_ name: String) -> Bool {
        bytes[name] == nil && Files.look(path + "/" + name) == nil
    }

    /// Adds a file, or changes one.
    mutating func put(_ name: String, _ new: [UInt8]) {
        if bytes.updateValue(new, forKey: name) == nil { names.append(name) }
    }

    /// The files with their bytes, in the order of writing.
    var files: [(name: String, bytes: [UInt8])] { names.map { ($0, bytes[$0] ?? []) } }
}
