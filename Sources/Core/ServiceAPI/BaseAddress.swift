extension String {
    /// An address that paths are added to: without a slash at its end.
    package var asBaseAddress: String { hasSuffix("/") ? String(dropLast()) : self }
}
