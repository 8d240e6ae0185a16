extension ContentLimits {
    /// The maximum size of a formula, in UTF-8 bytes.
    package static let formulaBytesMax = 2 * 1024
    /// The maximum number of symbols and structures of a formula.
    package static let formulaNodesMax = 600
    /// The maximum nesting of a formula's groups, arguments and environments.
    package static let formulaDepthMax = 16
    /// The maximum number of cells of a formula's tables, all together.
    package static let formulaCellsMax = 400
}
