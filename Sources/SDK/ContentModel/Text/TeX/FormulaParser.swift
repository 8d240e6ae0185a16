/// A parser of the subset of TeX that formulas may use.
///
/// It goes through the source once, and never traps. What it does not know it refuses with the place; there is no
/// second guess. Groups nest as deep as ``ContentLimits/formulaDepthMax``, so that recursion is bounded.
struct FormulaParser {
    /// The surroundings of a list of atoms.
    struct Surroundings {
        /// True where `]` ends the list.
        var isInBrackets = false
        /// True where `\middle` has a meaning.
        var isInFences = false
    }

    let scalars: [Unicode.Scalar]
    var position = 0
    var surroundings = Surroundings()
    /// The alphabet of letters by `\mathbf` and its like.
    var alphabet: FormulaAlphabet?
    private var depth = 0
    private var nodeCount = 0
    private var cellCount = 0

    private init(_ tex: String) { scalars = Array(tex.unicodeScalars) }

    /// Parses a formula.
    ///
    /// - Throws: The first mistake; the formula is then shown as code.
    static func parse(_ tex: String) throws(FormulaMistake) -> [FormulaNode] {
        var parser = FormulaParser(tex)
        try parser.checkSize(tex)
        let nodes = try parser.list()
        guard parser.position == parser.scalars.count else { throw parser.strayEnd() }
        return nodes
    }

    /// Parses atoms up to the end of their group, cell or formula, which remains unread.
    mutating func list() throws(FormulaMistake) -> [FormulaNode] {
        var nodes: [FormulaNode] = []
        var previous: FormulaRole?
        while true {
            skipSpaces()
            guard let scalar = next, !isEnd(scalar) else { return nodes }
            let node = try scripted(after: previous)
            nodes.append(node)
            previous = role(of: node, after: previous)
        }
    }

    /// Returns the role that the next atom sees: a space is transparent, and a bar after an operator opens.
    private func role(of node: FormulaNode, after previous: FormulaRole?) -> FormulaRole? {
        switch node.role {
        case .space: previous
        case .bar where previous?.isBeforePrefix != false: .open
        case let role: role
        }
    }

    /// Parses atoms in surroundings of their own, one level deeper.
    mutating func nested(
        _ surroundings: Surroundings = Surroundings()
    ) throws(FormulaMistake) -> [FormulaNode] {
        let outer = self.surroundings
        self.surroundings = surroundings
        defer { self.surroundings = outer }
        return try list()
    }

    /// Does something one level deeper, which begins at an offset.
    mutating func deeper<Value>(
        from offset: Int, _ parse: (inout FormulaParser) throws(FormulaMistake) -> Value
    ) throws(FormulaMistake) -> Value {
        guard depth < ContentLimits.formulaDepthMax else { throw mistake(.limit, at: offset) }
        depth += 1
        defer { depth -= 1 }
        return try parse(&self)
    }

    /// Counts a node that was parsed.
    mutating func countNode() throws(FormulaMistake) {
        nodeCount += 1
        if nodeCount > ContentLimits.formulaNodesMax { throw mistake(.limit, at: position) }
    }

    /// Counts a cell that begins here.
    mutating func countCell() throws(FormulaMistake) {
        cellCount += 1
        if cellCount > ContentLimits.formulaCellsMax { throw mistake(.limit, at: position) }
    }

    private func checkSize(_ tex: String) throws(FormulaMistake) {
        guard tex.utf8.count > ContentLimits.formulaBytesMax else { return }
        var bytes = 0
        let fitting = scalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= ContentLimits.formulaBytesMax
        }
        throw mistake(.limit, at: fitting.count)
    }
}
