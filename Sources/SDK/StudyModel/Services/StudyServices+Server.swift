extension StudyServices {
    /// True on a device whose host accepts the learner's data, such as reports.
    public var sendsUserData: Bool { sync?.userDataStatus != nil }
}
