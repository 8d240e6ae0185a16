extension PublishSummary {
    /// True when a publish changes nothing: neither the release nor a served file.
    public var isUpToDate: Bool {
        drifted.isEmpty && restored.isEmpty && revived.isEmpty && !isNew
    }
}
