extension PublishSummary {
    /// True when a publish would change neither the release nor a served file.
    public var isUpToDate: Bool {
        drifted.isEmpty && restored.isEmpty && revived.isEmpty && !isNew
    }
}
