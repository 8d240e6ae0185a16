extension String {
    /// The address as a base for paths: without a slash at its end.
    package var asBaseAddress: String { hasSuffix("/") ? String(dropLast()) : self }

    /// The address of a release, also when its manifest is named: without `/manifest.json` and
    /// slashes at its end.
    package var asReleaseAddress: String {
        let manifest = "/" + ContentRoutes.manifest
        var address = self[...]
        while address.last == "/" { address.removeLast() }
        if address.hasSuffix(manifest) { address.removeLast(manifest.count) }
        while address.last == "/" { address.removeLast() }
        return String(address)
    }
}
