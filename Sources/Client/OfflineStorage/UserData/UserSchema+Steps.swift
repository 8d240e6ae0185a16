extension UserSchema {
    /// What each waiting operation adds to a counter's totals, so that a copied store can tell its own
    /// steps from those of the original.
    static let steps = """
        ALTER TABLE pending ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE pending ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
        """
}
