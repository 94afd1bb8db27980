"""The LTI 1.3 tool: learning platforms open learnagent for their people and get grades back."""
